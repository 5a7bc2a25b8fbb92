# What is lost when a queue's server dies by kill -9 with some tasks that run and as many that wait, and is started
# again: how many tasks ran twice, how many had not ended half a minute later.

slots=$((cores > 8 ? 8 : cores * 2)) after_kill=30
count=$((slots * 2))

cat >"$work/task" <<'TASK'
echo "$2" >>"$1/began"
sleep 2
echo "$2" >>"$1/ended"
TASK

# lost NAME [BOUND]: waits, and adds the row.
lost() {
  local i folder=$work/kills-$1 twice never
  for ((i = 0; i < after_kill * 5; i++)); do
    [ "$(sort -u "$folder/ended" 2>/dev/null | wc -l)" -ge $count ] && break
    sleep 0.2
  done
  # One that is run once more begins within this time.
  sleep 3
  twice=$(sort "$folder/began" | uniq -d | wc -l)
  never=$((count - $(sort -u "$folder/ended" 2>/dev/null | wc -l)))
  row "kill -9 of $1: tasks that ran twice" "$twice" '' "${2-}" "$never of $count had not ended"
}

begun() {
  mkdir -p "$work/kills-$1"
  : >"$work/kills-$1/began"
}

# The oldest of those with our socket: others of this machine are left alone.
tsp_server() {
  local pid
  for pid in $(pgrep -x tsp); do
    grep -qsazx "TS_SOCKET=$TS_SOCKET" "/proc/$pid/environ" && echo "$pid" && return
  done
}

# running NAME: until as many run as there are slots.
running() {
  comes eval "[ \"\$(wc -l <'$work/kills-$1/began')\" -ge $slots ]"
}

begun gflow
start none $slots
gbatch --array "1-$count" --output none sh -c 'sh "$0" "$1" "$GFLOW_ARRAY_TASK_ID"' \
  "$work/task" "$work/kills-gflow" >/dev/null
running gflow
kill -9 "$(daemon_pid)"
gflowd up >/dev/null
lost gflow '<= 0'
stop

if command -v hq >/dev/null; then
  begun hq
  hq_start $slots
  hq submit --array "1-$count" --cpus 1 --stdout none --stderr none -- \
    sh -c 'sh "$0" "$1" "$HQ_TASK_ID"' "$work/task" "$work/kills-hq" >/dev/null 2>&1
  running hq
  { pkill -9 -f "hq server start --journal $work/hq-$slots.journal" && wait; } 2>/dev/null
  sleep 1
  hq_start $slots
  lost hq
  hq_stop
fi

if command -v pueue >/dev/null; then
  begun pueue
  pueue_start $slots
  for ((i = 1; i <= count; i++)); do pueue add -- sh "$work/task" "$work/kills-pueue" $i >/dev/null; done
  running pueue
  kill -9 "$(cat "$work/pueue/pueue.pid")"
  sleep 1
  pueue_start $slots
  lost pueue
  pueue_stop
fi

if command -v tsp >/dev/null; then
  begun tsp
  export TS_SOCKET=$work/tsp.kills
  tsp -S $slots
  for ((i = 1; i <= count; i++)); do tsp -n sh "$work/task" "$work/kills-tsp" $i >/dev/null; done
  running tsp
  kill -9 "$(tsp_server)"
  tsp -S $slots >/dev/null 2>&1
  lost tsp
  tsp_end
  unset TS_SOCKET
fi
