# An array of /bin/true with a durable exit code for each task, on two slots.

tasks=$((quick ? 2000 : 10000))
few=$((quick ? 300 : 1500)) # for the slow peers

with_gflow() {
  gbatch --priority 200 --array "1-$tasks" --wait /bin/true >"$work/array" || echo 'bench: a task failed' >&2
}

with_xargs() {
  seq "$tasks" | xargs -P2 -n1 sh -c 'setsid /bin/true >"$0/$1.log" 2>&1' "$work/logs"
}

with_parallel() {
  seq "$few" | parallel -j2 /bin/true
}

with_tsp() {
  local i
  for ((i = 0; i < few; i++)); do tsp -n /bin/true >/dev/null; done
  tsp -w >/dev/null
}

mkdir -p "$work/logs"
start none 2
export TS_SOCKET=$work/tsp TS_MAXFINISHED=10 TMPDIR=$work
command -v tsp >/dev/null && tsp -S 2
ours=() xargs=() parallel=() tsp=()
for ((round = 0; round < (quick ? 2 : 3); round++)); do
  seconds t with_gflow && ours+=("$(calc "$tasks / $t")")
  seconds t with_xargs && xargs+=("$(calc "$tasks / $t")")
  command -v parallel >/dev/null && seconds t with_parallel && parallel+=("$(calc "$few / $t")")
  command -v tsp >/dev/null && seconds t with_tsp && tsp+=("$(calc "$few / $t")")
done
id=$(awk '{print $NF}' "$work/array")
done_well=$(gqueue -j "$id" -h -o %t 2>/dev/null | grep -c CD)
stop
tsp_end
unset TS_SOCKET TMPDIR

# The same beside many that wait for a GPU, which another job has; it has the third slot too.
many=$((quick ? 10000 : 100000))
start sim:1x24G 3
crowd 1
with_gflow
seconds alone with_gflow
crowd "$many"
seconds crowded with_gflow
stop

ours=$(median "${ours[@]}") xargs=$(median "${xargs[@]}")
row "array of $tasks × /bin/true, 2 slots" "$ours" /s '' "$done_well tasks listed as completed"
row '… / xargs -P2 sh, setsid, redirect' "$(calc "$ours / $xargs")" '' '>= 0.7' "$(short "$xargs") /s"
row "… with $many waiting / none" "$(calc "$alone / $crowded")" '' '>= 0.9' "$(short "$(calc "$tasks / $alone")") /s"
if [ ${#parallel[@]} -gt 0 ]; then
  parallel=$(median "${parallel[@]}")
  row '… / GNU parallel -j2' "$(calc "$ours / $parallel")" '' '>= 1.5' "$(short "$parallel") /s"
else
  skipped '… / GNU parallel -j2' 'not installed'
fi
if [ ${#tsp[@]} -gt 0 ]; then
  tsp=$(median "${tsp[@]}")
  row '… / task-spooler -S 2' "$(calc "$ours / $tsp")" '' '' "$(short "$tsp") /s"
else
  skipped '… / task-spooler -S 2' 'not installed'
fi
