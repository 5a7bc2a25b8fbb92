# How many jobs may wait within the daemon's own heap, and whether it answers meanwhile.

equal=$((quick ? 100000 : 1000000))
distinct=$((quick ? 30000 : 300000))

# meanwhile NAME COMMAND…: how long it takes in seconds, and in worst the longest answer to
# somebody else while it runs, in milliseconds.
meanwhile() {
  local name=$1 from to task
  shift
  worst=0
  "$@" >"$work/said" 2>&1 &
  task=$!
  now started
  while kill -0 $task 2>/dev/null; do
    now from
    gqueue --limit 1 >/dev/null
    now to
    [ $((to - from)) -le $((worst * 1000)) ] || worst=$(((to - from) / 1000))
  done
  wait $task || sed -n 1p "$work/said" >&2
  now to
  printf -v "$name" %s "$(calc "($to - $started) / 1e6")"
}

# fill COUNT MAKE: in batches of 10,000, until they are there or refused; in accepted how many.
fill() {
  local batch=10000
  accepted=0
  while [ $accepted -lt "$1" ]; do
    "$2" $((accepted < $1 - batch ? batch : $1 - accepted)) $accepted >"$work/batch"
    gbatch --from "$work/batch" >/dev/null 2>"$work/refused" || {
      sed -n 1p "$work/refused" >&2
      return
    }
    accepted=$((accepted + $(wc -l <"$work/batch")))
  done
}

alike() {
  orders "$1" 1 sleep 1
}

different() {
  seq -f '{"command":["sleep","1","%.0f"],"gpus":1,"output":"none"}' $(($2 + 1)) $(($2 + $1))
}

# limit COUNT WHAT MAKE
limit() {
  start sim:1x24G 16
  gbatch --gpus 1 --output none sleep 100000 >/dev/null
  meanwhile t fill "$1" "$3"
  # It ran in a process of its own.
  accepted=$(gflowd status --json | sed -n 's/.*"pending": *\([0-9]*\).*/\1/p')
  row "$2 jobs that wait, of $1" "${accepted:-0}" '' ">= $1" "$(calc "$t") s"
  row '… longest answer meanwhile' "$worst" ms '' 'gqueue --limit 1'
  row '… RSS' "$(rss_mb)" MB '<= 480' ''
  seconds t gflowd restart >/dev/null
  row '… gflowd restart' "$t" s '' ''
  meanwhile t gcancel --all
  row '… gcancel --all' "$t" s '' "longest answer meanwhile $worst ms"
  row '… RSS afterwards' "$(rss_mb)" MB '<= 480' ''
  stop
}

limit "$equal" equal alike
limit "$distinct" distinct different
