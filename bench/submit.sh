# A queue of many waiting jobs: how it is filled, and what it costs those who come later.

many=$((quick ? 10000 : 100000))

# measure: gbatch and gqueue as they are now, in a daemon that is warm.
measure() {
  runs=150 hyper 'warm=gqueue --limit 100'
  runs=50 hyper 'queue=gqueue --limit 100'
  runs=150 hyper 'warm=gbatch --gpus 1 --output none true'
  runs=50 hyper 'batch=gbatch --gpus 1 --output none true'
}

fill() {
  gbatch --from "$work/crowd" >/dev/null
}

blocked() {
  start sim:1x24G 16
  gbatch --gpus 1 --output none sleep 100000 >/dev/null
}

blocked
measure
alone=${ms[batch]} empty=${ms[queue]}
stop

orders "$many" 1 sleep 1 >"$work/crowd"
times=()
for ((round = 0; round < 3; round++)); do
  stop
  blocked
  seconds t fill
  times+=("$t")
done
row "--from with $many specs" "$(median "${times[@]}")" s '<= 3' 'acknowledged, durable'
measure
stop
row "gbatch, $many waiting / none" "$(calc "${ms[batch]} / $alone")" '' '<= 1.5' \
  "$(short "$alone") ms"
row "gqueue --limit 100, $many waiting / empty" "$(calc "${ms[queue]} / $empty")" '' '<= 2' \
  "$(short "$empty") ms"
