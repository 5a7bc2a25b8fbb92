# Checks of the fence and of GPUs that are shared, for try-on-gpu.sh, which reads this. They need python3
# with torch; sizes are parts of the GPU's memory, so that a smaller one will do too. The figures go into
# a table of the record, as docs/benchmarks-gpu.md has them.

gqueue_says() { gqueue -j "$1" | grep -q "$2"; }
shows() { gjob show "$1" | grep -q "$2"; }
log_says() { grep -q "$2" "$record/$1.log" 2>/dev/null; }
# Submits a job whose output is the log of that name in the record, and prints its id.
job() { # job NAME OPTIONS... PROGRAM...
  name=$1; shift
  gbatch --parsable --name "$name" --output "$record/$name.log" "$@" 2>>"$record/said.txt"
}
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
row() { printf '| %s | %s |\n' "$1" "$2" >>"$record/figures.md"; }

printf '| on %s, driver %s | |\n|---|---|\n' "$model" \
  "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)" >"$record/figures.md"

say "6. the fence"
tried() { ! gflowd status | grep -q 'Fenced.*being tried'; }
check "a fence was tried within 35 s" within 35 tried
gflowd status | grep Fenced | tee "$record/fence.txt"
gflow doctor | grep '^fence' | tee -a "$record/fence.txt"
check "gflowd status and gflow doctor say who is fenced, or why nobody is" \
  test "$(grep -c . "$record/fence.txt")" = 2
cat >"$work/look" <<'LOOK'
#!/bin/sh
nvidia-smi -L
echo "CVD=$CUDA_VISIBLE_DEVICES"
nvidia-smi -q -d UTILIZATION >/dev/null && echo asked
LOOK
cat >"$work/inside" <<INSIDE
#!/bin/sh
"$work/look"
grun "$work/look" >"\$1.step"
"$python" "$client" \$2
INSIDE
chmod +x "$work/look" "$work/inside"
sees() { # sees HOW_MANY FILE
  test "$(grep -c '^GPU ' "$2")" = "$1"
}
# Into a running job: as a step from outside, and as a shell of somebody who comes to look.
join() { # join ID NAME
  grun --jobid "$1" --overlap "$work/look" >"$record/$2.join" 2>&1
  SHELL="$work/look" gjob shell "$1" >"$record/$2.shell" 2>&1
}
if grep -q 'Fenced *none' "$record/fence.txt"; then
  check "gbatch --fence is refused" sh -c '! gbatch --fence true'
  skip "no fence holds here"
else
  printf '#!/bin/sh\n#SBATCH -J slurm\nnvidia-smi -L\n' >"$work/slurm.sh"
  slurm=$(job slurm "$work/slurm.sh")
  # While a job without a GPU looks for one, ports are compared and starts are measured.
  none=$(job none --fence sh -c "'$work/inside' '$record/none' see; sleep 60")
  ports=$(job port1 sh -c 'echo $GFLOW_PORT; sleep 2')
  job port2 sh -c 'echo $GFLOW_PORT; sleep 2' >/dev/null
  check "without a GPU torch looks for one" within 30 log_says none 'torch sees'
  join "$none" none
  for file in log step join shell; do
    check "without a GPU none is seen: $file" sees 0 "$record/none.$file"
    check "  and nvidia-smi says so: $file" grep -qi 'no devices' "$record/none.$file"
  done
  check "torch finds none" log_says none 'torch sees 0 False'
  check "gjob show says that it is fenced" shows "$none" 'Fence=yes (--fence)'
  gcancel "$none" >/dev/null
  check "a script of Slurm's words is fenced without asking" shows "$slurm" 'Fence=yes (Slurm script)'
  check "  and sees none" sees 0 "$record/slurm.log"
  row "a fenced job without a GPU" "$(grep -v '^gflow' "$record/none.log" | tr '\n' ' ')"
  check "two jobs are over" within 20 ended "$ports"
  check "  and had a port" grep -q '^[1-9]' "$record/port1.log"
  check "  each one of its own" sh -c "! cmp -s '$record/port1.log' '$record/port2.log'"
  median() { # median OPTION: of 9 jobs, from their submission to their end
    for _ in 1 2 3 4 5 6 7 8 9; do
      begin=$(milliseconds)
      gbatch "$1" --wait --quiet --output none true >/dev/null
      echo $(($(milliseconds) - begin))
    done | sort -n | sed -n 5p
  }
  row "gbatch --wait true, median of 9: with --no-fence, with --fence" \
    "$(median --no-fence) ms, $(median --fence) ms"

  say "7. a fenced job computes, and its log of the GPU is nvidia-smi's"
  gpu=$(job fenced --fence --gpus 1 --gpu-log "$record/gpu.csv:1" \
    "$work/inside" "$record/fenced" "work $(part 7) $work/enough")
  check "it computes" within 40 log_says fenced holding
  check "torch finds one" log_says fenced 'torch sees 1 True'
  # The first seconds are not measured: memory and use must be there.
  rows() { if [ -f "$record/gpu.csv" ]; then grep -c . "$record/gpu.csv"; else echo 0; fi; }
  sleep 3
  from=$(rows)
  nvidia-smi --query-gpu=utilization.gpu,memory.used,power.draw --format=csv -i "$first" -lms 1000 \
    >"$record/smi.csv" &
  asking=$!
  join "$gpu" fenced
  enough() { [ "$(rows)" -ge $((from + 15)) ]; }
  check "--gpu-log writes a row each second" within 25 enough
  kill "$asking"
  wait "$asking" 2>/dev/null
  asking=
  touch "$work/enough"
  for file in log step join shell; do
    check "its GPU is seen: $file" sees 1 "$record/fenced.$file"
    check "  as the first: $file" grep -q '^CVD=0' "$record/fenced.$file"
    check "  and can be asked: $file" grep -q '^asked' "$record/fenced.$file"
  done
  mean() { awk -F, -v column="$1" '{ n++; sum += $column } END { if (n) printf "%.1f", sum / n }'; }
  ours() { sed "1,${from}d" "$record/gpu.csv" | mean "$1"; }
  theirs() { sed 1d "$record/smi.csv" | mean "$1"; }
  near() { # near A B DISTANCE
    awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { d = a - b; exit !(a != "" && d <= most && -d <= most) }'
  }
  check "its memory is that of nvidia-smi" \
    near "$(ours 4)" "$(theirs 2)" "$(theirs 2 | awk '{ print $1 / 50 }')"
  check "  and is that of the program" near "$(ours 4)" "$(($(part 7) * 1024))" 2048
  check "its use too" near "$(ours 3)" "$(theirs 1)" 15
  row "use of the GPU, mean: --gpu-log, nvidia-smi" "$(ours 3) %, $(theirs 1) %"
  row "its memory: --gpu-log, nvidia-smi" "$(ours 4) MiB, $(theirs 2) MiB"
  row "its power: --gpu-log, nvidia-smi" "$(ours 6) W, $(theirs 3) W"
  check "it ends with 0" within 30 state_is "$gpu" COMPLETED
  gjob eff "$gpu" | tee "$record/eff.txt"
  check "gjob eff has mean and peak" \
    grep -q '^GPU Efficiency: [0-9]*% mean, [0-9]*% peak' "$record/eff.txt"
  check "gjob show too" shows "$gpu" 'GpuUse=[0-9]*% mean, [0-9]*% peak'
  row "gjob eff" "$(grep -o '[0-9]*% mean.*peak' "$record/eff.txt"), $(sed -n 's/^GPU Mem[^:]*: //p' "$record/eff.txt")"
fi

say "8. out of memory on a shared GPU is tried again alone"
promised=$(part 14)G
hog=$(job hog --gpus 1/2 --gpu-memory "$promised" "$python" "$client" hold "$(part 70)" "$work/leave")
check "one job holds $(part 70) GiB" within 40 log_says hog holding
begin=$(milliseconds)
again=$(job again --gpus 1/2 --gpu-memory "$promised" "$python" "$client" take "$(part 43)")
check "another, of $(part 43) GiB, is out of memory" within 40 shows "$again" 'Cause=gpu_memory'
failed_after=$(($(milliseconds) - begin))
check "  beside it" shows "$again" 'Attempt\[1\] State=FAILED'
check "  and waits" state_is "$again" PENDING
gqueue -j "$hog,$again" | tee "$record/gqueue-oom.txt"
check "who uses more than was promised is marked" within 15 gqueue_says "$hog" "promised $promised"
touch "$work/leave"
begin=$(milliseconds)
check "alone it fits" within 40 state_is "$again" COMPLETED
row "$(part 43) GiB beside $(part 70) GiB: out of memory after, then alone after" \
  "$failed_after ms, $(($(milliseconds) - begin)) ms, both with the start of torch"
gjob show "$again" | tee "$record/again.txt"
check "at its second attempt" grep -q 'Attempt\[2\] State=COMPLETED' "$record/again.txt"
gjob show "$again" --json >"$record/again.json"
check "gjob show --json has the cause" grep -q '"cause": *"gpu_memory"' "$record/again.json"
check "  in words" grep -q 'out of GPU memory on GPU [0-9]*, which it shared' "$record/again.json"
huge=$(job huge --gpus 1 --retries 3 --retry-on any "$python" "$client" take "$(part 143)")
check "one alone that wants $(part 143) GiB fails" within 40 state_is "$huge" FAILED
gqueue -j "$huge" | tee "$record/gqueue-huge.txt"
check "  and is not tried again, because it would not fit" grep -q \
  'alone on GPU [0-9]*: it would not fit the next time either' "$record/gqueue-huge.txt"
check "  with one attempt" sh -c "! gjob show '$huge' | grep -q 'Attempt\[2\]'"
check "gjob show has the cause" shows "$huge" 'Cause=gpu_memory'

say "9. clients side by side on one GPU"
spread=$(job spread -n 8 --gpus 1 --spread sh -c 'echo {gpu} {task}')
check "8 clients run" within 20 state_is "$spread" COMPLETED
for task in 0 1 2 3 4 5 6 7; do echo "$first $task"; done >"$work/spread.txt"
check "each knows its GPU and its number" \
  sh -c "sort '$record/spread.log' | cmp - '$work/spread.txt'"

say "10. a GPU that is held and not used"
if [ -n "${TRY_IDLE:-}" ]; then
  idle=$(job idle --gpus 1 sleep 400)
  check "is marked after five minutes" within 330 gqueue_says "$idle" 'no GPU use since'
  gqueue -j "$idle" | tee "$record/gqueue-idle.txt"
  gcancel "$idle" >/dev/null
else
  skip "that takes more than five minutes: TRY_IDLE=1 waits for it"
fi
cat "$record/figures.md"
