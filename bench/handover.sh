# From the exit of one GPU job to the start of the next on that GPU. Each job takes its own times:
# the first and the last thing that its shell does, so the start of bash counts as ours.

count=$((quick ? 60 : 201))
many=$((quick ? 10000 : 100000))

handovers() {
  local stamps=$work/stamps.$1
  : >"$stamps"
  stamp_job
  orders "$count" 200 /bin/bash --norc "$work/stamp" "$stamps" | sed "s/^{/{${2-}/" >"$work/orders"
  gbatch --from "$work/orders" >/dev/null
  [ "$1" != many ] || gcancel "$blocker" >/dev/null
  until [ "$(wc -l <"$stamps")" -ge "$count" ]; do sleep 0.1; done
  gaps "$stamps" >"$work/gaps.$1"
}

start sim:1x24G 1
blocker=none
handovers bound '"cpus-per-task":1,'
handovers bound '"cpus-per-task":1,'
stop
start sim:1x24G 16
handovers few
handovers few
crowd "$many"
blocker=$(gqueue -t R -h -o %i | head -n 1)
handovers many
stop
if [ -e /dev/nvidia0 ]; then
  start nvml 16
  handovers real
  stop
fi

few=$(quantile 0.5 <"$work/gaps.few")
crowded=$(quantile 0.5 <"$work/gaps.many")
note="$((count - 1)) hand-overs of one GPU"
row 'hand-over, median' "$few" ms '<= 10' "$note"
row 'hand-over, p99' "$(quantile 0.99 <"$work/gaps.few")" ms '<= 50' "$note"
row 'hand-over, median, jobs in a cpuset' "$(quantile 0.5 <"$work/gaps.bound")" ms '<= 25' "$note"
[ ! -s "$work/gaps.real" ] ||
  row 'hand-over, median, a real GPU with its lock' "$(quantile 0.5 <"$work/gaps.real")" ms '<= 5' "$note"
row "hand-over, median, $many waiting" "$crowded" ms '<= 10' "$note"
row "hand-over, p99, $many waiting" "$(quantile 0.99 <"$work/gaps.many")" ms '<= 50' "$note"
row "hand-over, $many waiting / none" "$(calc "$crowded / $few")" '' '<= 1.5' "$(short "$few") ms"
