# The same scripts under gflow and under a real Slurm of one node, on 16 declared CPUs and 4 fake GPUs.

steps=$((quick ? 20 : 100)) submissions=$((quick ? 5 : 15)) array=$((quick ? 100 : 500))

# step-rate: prints the milliseconds of a one-task step inside a job, median of the job's steps.
cat >"$work/steps.sh" <<'X'
#!/bin/bash
for ((i = 0; i < $1; i++)); do
  t=${EPOCHREALTIME/[.,]/}
  srun -n1 true
  echo $((${EPOCHREALTIME/[.,]/} - t))
done
X
printf '#!/bin/bash\necho "${EPOCHREALTIME/[.,]/}"\n' >"$work/first.sh"
printf '#!/bin/bash\necho "${EPOCHREALTIME/[.,]/}" >>ends\n' >"$work/each.sh"

# Each of these uses the sbatch that PATH names, and squeue to see the end, in a folder of its own.
await_end() {
  while [ -n "$(squeue -h -j "$1" 2>/dev/null)" ]; do sleep 0.1; done
}

step_times() {
  local id
  id=$(sbatch --parsable -n1 -o steps.out "$work/steps.sh" "$steps") && await_end "$id" &&
    quantile 0.5 <steps.out
}

first_line() {
  local from id
  now from
  id=$(sbatch --parsable -n1 -o first.out "$work/first.sh") && await_end "$id" &&
    echo $(($(cat first.out) - from))
}

array_time() {
  local from id
  rm -f ends
  now from
  id=$(sbatch --parsable -n1 -o /dev/null --array "1-$array" "$work/each.sh") && await_end "$id"
  [ "$(wc -l <ends)" = "$array" ] || echo "bench: $(wc -l <ends) of $array tasks ran" >&2
  echo $(($(quantile 1 <ends) - from))
}

# beside FIGURE: its microseconds under gflow and under Slurm, in turns; into ours and theirs.
beside() {
  local -a a=() b=()
  local round
  for ((round = 0; round < ${2:-3}; round++)); do
    a+=("$(cd "$work/gflow" && PATH=$home/slurm:$PATH "$1")")
    b+=("$(cd "$work/slurm" && "$1")")
  done
  ours=$(median "${a[@]}") theirs=$(median "${b[@]}")
}

slurm_figures() {
  beside step_times
  row 'one-task step: real srun / ours' "$(calc "$theirs / $ours")" '' '>= 3' \
    "$(short "$(calc "$theirs / 1000")") ms / $(short "$(calc "$ours / 1000")") ms"
  beside first_line "$submissions"
  row 'sbatch to the first line: ours / real' "$(calc "$ours / $theirs")" '' '<= 0.5' \
    "$(short "$(calc "$ours / 1000")") ms / $(short "$(calc "$theirs / 1000")") ms"
  beside array_time
  row "array of $array on 16 CPUs: ours / real" "$(calc "$ours / $theirs")" '' '' \
    "$(short "$(calc "$ours / 1e6")") s / $(short "$(calc "$theirs / 1e6")") s"
}

mkdir -p "$work/gflow" "$work/slurm"
if cluster=$("$here/../src/test/slurm/slurm-up" up "$work/cluster"); then
  start sim:4x24G 16
  eval "$cluster"
  slurm_figures
  stop
else
  skipped 'steps and arrays beside a real Slurm' 'Slurm is not installed'
fi
"$here/../src/test/slurm/slurm-up" down "$work/cluster" >/dev/null
unset SLURM_CONF
