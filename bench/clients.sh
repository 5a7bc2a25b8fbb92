# What somebody at a terminal waits for, beside HyperQueue with its journal: a submission, a list of 2,500 that wait,
# and the gap between two jobs on one slot.

rows_to_list=$((quick ? 500 : 2500))
submissions=$((quick ? 40 : 100))

# each NAME COMMAND…: one round of it, in milliseconds.
each() {
  local name=$1 t
  shift
  seconds t "$@" >/dev/null
  tried[$name]+=" $(calc "$t * 1000")"
}

submit_hq() {
  hq submit --cpus 1 --stdout none --stderr none -- /bin/true
}

waiting_hq() {
  local i
  for ((i = 0; i < rows_to_list; i++)); do
    hq submit --cpus 64 --stdout none --stderr none -- /bin/true >/dev/null
  done
}

handovers_hq() {
  hq submit --array "1-$1" --cpus 1 --stdout none --stderr none --wait -- \
    /bin/bash --norc "$work/stamp" "$work/stamps.hq" >/dev/null 2>&1
  gaps "$work/stamps.hq" | quantile 0.5
}

if ! command -v hq >/dev/null; then
  skipped 'answers beside HyperQueue' 'no hq on the PATH'
else
  declare -A tried=()
  start none "$cores"
  hq_start "$cores"
  for ((i = 0; i < submissions; i++)); do
    each starts gbatch --output none /bin/true
    each held gbatch --hold --output none /bin/true
    each hq submit_hq
  done
  stop
  start sim:1x24G 1
  crowd "$rows_to_list"
  waiting_hq
  for ((i = 0; i < 21; i++)); do
    each list gqueue
    each list_hq hq job list
  done
  hq_stop
  stop
  hq_start 1
  stamp_job
  gap=$(handovers_hq $((quick ? 60 : 201)))
  hq_stop

  # shellcheck disable=SC2086
  {
    ours=$(median ${tried[starts]})
    theirs=$(median ${tried[hq]})
    held=$(median ${tried[held]})
    row 'gbatch of a job that starts / hq submit' "$(calc "$ours / $theirs")" '' '<= 1' \
      "$(short "$ours") ms / $(short "$theirs") ms"
    row 'gbatch of a job that starts / held' "$(calc "$ours / $held")" '' '<= 1.15' "$(short "$held") ms"
    ours=$(median ${tried[list]})
    theirs=$(median ${tried[list_hq]})
    row "gqueue with $rows_to_list waiting / hq job list" "$(calc "$ours / $theirs")" '' '<= 1' \
      "$(short "$ours") ms / $(short "$theirs") ms"
    row 'hand-over of HyperQueue, median' "$gap" ms '' 'one slot; ours is the figure handover'
  }
fi
