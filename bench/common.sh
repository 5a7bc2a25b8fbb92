# What the figures share: a private daemon, times, medians, and the rows of the table.

# ---- the program, the peers and the machine ----

prepare() {
  # Of this source tree, unless BENCH_HOME names another packed or installed program.
  [ -n "${BENCH_HOME-}" ] || "$here/../gflow" --version >&2 || exit 1
  home=$(cd "${BENCH_HOME:-$here/../target/gflow}" && pwd) || exit 1
  PATH=$home/bin:$PATH
  work=$(mktemp -d "${TMPDIR:-/tmp}/gflow-bench.XXXXXX")
  rows=$work/rows
  : >"$rows"
  unset GFLOW_CLIENT GFLOW_JAVA
  install_peer hyperfine hyperfine
  install_peer parallel parallel
  install_peer tsp task-spooler
  cores=$(nproc)
  machine="$cores cores, $(awk '/MemTotal/ {printf "%.0f GB", $2 / 1e6}' /proc/meminfo), Linux $(uname -r)"
  load=$(cut -d' ' -f1 /proc/loadavg)
  echo "machine: $machine; load $load" >&2
  awk -v l="$load" -v c="$cores" 'BEGIN {exit !(l > c / 2)}' &&
    echo "warning: the machine is busy (load $load): only ratios of this run mean much" >&2
  return 0
}

# A peer that is missing is installed if we may, else its rows say so.
install_peer() {
  command -v "$1" >/dev/null && return
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$2" >/dev/null 2>&1
  command -v "$1" >/dev/null || echo "bench: no $1 here (package $2): its rows are skipped" >&2
}

# ---- a daemon of our own ----

# start GPUS CPUS: a fresh home with nothing in it.
start() {
  export GFLOW_HOME=$work/home GFLOW_GPUS=$1 GFLOW_CPUS=$2
  rm -rf "$GFLOW_HOME" && mkdir -p "$GFLOW_HOME"
  gflowd up >/dev/null || exit 1
}

stop() {
  [ -n "${GFLOW_HOME-}" ] && gflowd down --cancel >/dev/null 2>&1
  return 0
}

clean_up() {
  stop
  tsp_end
  [ -z "${HQ_SERVER_DIR-}" ] || hq_stop
  [ -z "${PUEUE_CONFIG_PATH-}" ] || pueue_stop
  rm -rf "$work"
}

daemon_pid() {
  gflowd status --json | sed -n 's/.*"pid": *\([0-9]*\).*/\1/p'
}

rss_mb() {
  awk '/^VmRSS/ {printf "%.0f", $2 / 1024}' "/proc/$(daemon_pid)/status"
}

tsp_end() {
  [ -z "${TS_SOCKET-}" ] || tsp -K >/dev/null 2>&1
  return 0
}

# orders COUNT PRIORITY WORDS…: one line of --from for each job.
orders() {
  local count=$1 priority=$2 words
  shift 2
  words=$(printf '"%s",' "$@")
  yes "{\"command\":[${words%,}],\"gpus\":1,\"priority\":$priority,\"output\":\"none\"}" |
    head -n "$count"
}

# crowd COUNT: so many jobs that wait behind one that holds the only GPU.
crowd() {
  gbatch --gpus 1 --output none sleep 100000 >/dev/null
  orders "$1" 1 sleep 1 >"$work/crowd"
  gbatch --from "$work/crowd" >/dev/null || exit 1
}

# ---- times ----

# In microseconds, without a fork.
now() {
  local t=${EPOCHREALTIME/[.,]/}
  printf -v "$1" %s "$t"
}

# seconds NAME COMMAND…: how long it takes.
seconds() {
  local name=$1 from to
  shift
  now from
  "$@" || echo "bench: '$*' failed" >&2
  now to
  printf -v "$name" %s "$(calc "($to - $from) / 1e6")"
}

calc() {
  awk "BEGIN {printf \"%.6g\", $1}"
}

# quantile Q: of the numbers on stdin, one a line.
quantile() {
  sort -g | awk -v q="$1" '{v[NR] = $1} END {i = int(q * NR + 0.9999); print v[i < 1 ? 1 : i]}'
}

median() {
  printf '%s\n' "$@" | quantile 0.5
}

# hyper NAME=COMMAND…: median milliseconds of each, interleaved in rounds because machines are noisy.
declare -A ms
hyper() {
  local runs=${runs:-60} rounds=3 round pair
  local -A seen=()
  for ((round = 0; round < rounds; round++)); do
    for pair; do
      hyperfine -N --warmup 5 --runs "$runs" --style none --export-csv "$work/hf.csv" \
        "${pair#*=}" >/dev/null 2>"$work/hf.err" || { cat "$work/hf.err" >&2; continue; }
      seen[${pair%%=*}]+=" $(awk -F, 'END {print $(NF - 4) * 1000}' "$work/hf.csv")"
    done
  done
  for pair; do
    # shellcheck disable=SC2086
    ms[${pair%%=*}]=$(median ${seen[${pair%%=*}]-0})
  done
}

# A job that takes its own times: the first and the last thing that its shell does.
stamp_job() {
  cat >"$work/stamp" <<'JOB'
start=$EPOCHREALTIME
sleep 0.01
echo "$start $EPOCHREALTIME" >>"$1"
JOB
}

# gaps FILE: milliseconds between the end on one line and the start on the next.
gaps() {
  sort -n "$1" | awk 'NR > 1 {printf "%.3f\n", ($1 - end) * 1000} {end = $2}'
}

# ---- other queues: HyperQueue, with a journal as gflow has its database, and pueue ----

# hq_start CPUS: a server, and one worker with so many.
hq_start() {
  export HQ_SERVER_DIR=$work/hq-$1
  hq server start --journal "$work/hq-$1.journal" >"$work/hq.log" 2>&1 &
  comes hq server info
  hq worker start --cpus "$1" --detect-resources none >"$work/hq-worker.log" 2>&1 &
  comes eval 'hq worker list | grep -q RUNNING'
}

hq_stop() {
  hq worker stop all >/dev/null 2>&1
  hq server stop >/dev/null 2>&1
  unset HQ_SERVER_DIR
}

# pueue_start SLOTS: a daemon of its own.
pueue_start() {
  export PUEUE_CONFIG_PATH=$work/pueue.yml
  mkdir -p "$work/pueue"
  printf 'shared: {pueue_directory: %s, runtime_directory: %s, use_unix_socket: true}\n' \
    "$work/pueue" "$work/pueue" >"$PUEUE_CONFIG_PATH"
  printf 'client: {}\ndaemon: {}\n' >>"$PUEUE_CONFIG_PATH"
  pueued -d >/dev/null 2>&1
  comes pueue parallel "$1"
}

pueue_stop() {
  pueue shutdown >/dev/null 2>&1
  rm -rf "$work/pueue"
  unset PUEUE_CONFIG_PATH
}

# comes COMMAND…: until it succeeds, for ten seconds at most.
comes() {
  local i
  for ((i = 0; i < 100; i++)); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.1
  done
  echo "bench: waited in vain for: $*" >&2
  return 1
}

# ---- rows ----

# row FIGURE VALUE UNIT 'OP BOUND' NOTE: OP is <= or >=, or nothing for a peer's own row.
row() {
  local ok=
  if [ -n "$4" ]; then
    ok=$(awk -v v="$2" 'BEGIN {print (v '"$4"') ? "ok" : "NOT"}')
  fi
  printf '%s|%s|%s|%s|%s\n' "$1" "$(short "$2")${3:+ $3}" "${4:+$4${3:+ $3}}" "$ok" "$5" |
    tee -a "$rows" | columns >&2
}

# Where the machine has no column, as a bare one, the bars stay.
columns() {
  if command -v column >/dev/null; then column -t -s '|'; else cat; fi
}

skipped() {
  printf '%s|skipped|||%s\n' "$1" "$2" >>"$rows"
}

short() {
  awk -v v="$1" 'BEGIN {printf((v >= 100) ? "%.0f" : (v >= 10) ? "%.1f" : "%.2f", v)}'
}

table() {
  echo "$machine; load at start $load; gflow $(gflow --version | awk '{print $NF}')${quick:+; --quick}"
  { echo 'figure|value|bound||beside' && cat "$rows"; } | columns
}

write_page() {
  {
    cat <<PAGE
# Benchmarks

The last table of \`bench/run --write\`: $(date +%F), $machine, load at start $load${quick:+, small sizes (--quick)}.
Ratios are of one run, medians of interleaved rounds.

| figure | value | bound | | beside |
|---|---|---|---|---|
PAGE
    sed 's/|/ | /g; s/^/| /; s/$/ |/; s/  *|/ |/g' "$rows"
  } >"$1"
}
