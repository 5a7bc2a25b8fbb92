# What the programs share: gflow as a user installs it, a daemon of our own, the venv, and the rows of the table.

# ---- the program and the machine ----

prepare() {
  work=${WORK:-${TMPDIR:-/tmp}/gflow-programs}
  mkdir -p "$work/rows"
  work=$(cd "$work" && pwd)
  "$here/../../../gflow" install --prefix "$work/gflow" >&2 || exit 1
  PATH=$work/gflow/bin:$PATH
  # A real Slurm may be installed beside it: here its names are ours.
  eval "$(gflow slurm-env --force)"
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
}

# begin PART: a folder of its own, and no rows yet.
begin() {
  printf '%s …\n' "$1" >&2
  part=$1 program=$1
  unset OMP_NUM_THREADS OPENBLAS_NUM_THREADS
  rm -rf "${work:?}/run/$part"
  mkdir -p "$work/run/$part"
  cd "$work/run/$part" || exit 1
  : >"$work/rows/$part"
}

# fresh GPUS CPUS: a daemon of our own with nothing in it.
fresh() {
  stop
  export GFLOW_HOME=$work/home GFLOW_GPUS=$1 GFLOW_CPUS=$2
  rm -rf "$GFLOW_HOME"
  gflowd up >/dev/null || exit 1
}

stop() {
  [ -z "${GFLOW_HOME-}" ] || gflowd down --cancel >/dev/null 2>&1
  return 0
}

# ---- what is installed ----

# debian COMMAND PACKAGE…: fails, with a row that says so, where we may not install it.
debian() {
  command -v "$1" >/dev/null && return
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "programs: installing ${*:2}" >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${@:2}" >"$work/apt.log" 2>&1
  fi
  command -v "$1" >/dev/null || { skipped "no $1 here (package $2)" && return 1; }
}

# pypi PACKAGE…: into a venv that all programs share, which is then first on PATH.
pypi() {
  local package missing=()
  [ -d "$work/venv" ] || python3 -m venv "$work/venv" || { skipped 'no venv' && return 1; }
  [[ $PATH == "$work/venv/bin:"* ]] || PATH=$work/venv/bin:$PATH
  for package; do
    pip show -q "$package" 2>/dev/null || missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] && return
  echo "programs: installing ${missing[*]}" >&2
  pip install -q "${missing[@]}" >"$work/pip.log" 2>&1 || { skipped "pip could not install ${missing[*]}" && return 1; }
}

# pypi_version PACKAGE
pypi_version() {
  pip show "$1" 2>/dev/null | sed -n 's/^Version: //p'
}

# ---- jobs ----

# job NAME: a script of this name from stdin, as a user writes it.
job() {
  { echo '#!/bin/bash' && cat; } >"$1"
}

# finish COMMAND…: sends it (sbatch, gbatch), waits for its end, however it ends, and leaves its number in $id.
finish() {
  id=$("$@" 2>sent.err | grep -o '[0-9]*$' | tail -n1)
  [ -n "$id" ] || { cat sent.err && return 1; }
  ended "$id"
}

# ended ID…: waits for these.
ended() {
  gjob wait "$@" >/dev/null 2>&1 || :
}

# ---- two jobs side by side ----

# beside HOW COMMAND…: two jobs with a CPU each, in turns with one alone. They must not be slower, and would be if both went to one core.
# Each runs in its TMPDIR, so its files are named with their folders.
beside() {
  local how=$1
  shift
  [ "$(nproc --all)" -ge 2 ] || { skipped 'one core' && return; }
  fresh none 2
  job timed.sh <<'X'
cd "$TMPDIR" || exit
start=${EPOCHREALTIME/[.,]/}
"$@" >/dev/null 2>&1
awk "BEGIN {printf \"%.3f\n\", (${EPOCHREALTIME/[.,]/} - $start) / 1e6}"
X
  attempt "two jobs, -n1 -c1: $how" 'time within 15 % of alone' "alone_and_two $*"
}

# quiet: waits, for ten seconds at most, until others leave nine tenths of the machine alone for a second.
quiet() {
  local try idle
  for try in {1..10}; do
    idle=$(awk '/^cpu / {print $5}' /proc/stat)
    sleep 1
    [ $((($(awk '/^cpu / {print $5}' /proc/stat) - idle) * 10)) -lt $((900 * $(nproc --all))) ] || return 0
  done
}

# by_hand CORE COMMAND…: what gflow does for a job, without it.
by_hand() {
  local core=$1 folder
  shift
  [ "$1" != srun ] || shift
  folder=$(mktemp -d)
  TMPDIR=$folder OMPI_MCA_hwloc_base_binding_policy=none OMP_NUM_THREADS=1 taskset -c "$core" bash timed.sh "$@"
  rm -rf "$folder"
}

alone_and_two() {
  local round a b alone=() two=() hand=()
  for round in 1 2 3 4 5 6 7; do
    quiet
    finish sbatch -n1 -c1 -o one.s timed.sh "$@"
    alone+=("$(<one.s)")
    quiet
    a=$(sbatch --parsable -n1 -c1 -o one.s timed.sh "$@")
    b=$(sbatch --parsable -n1 -c1 -o two.s timed.sh "$@")
    ended "$a" "$b"
    two+=("$(mean "$(<one.s)" "$(<two.s)")")
    quiet
    by_hand 0 "$@" >one.s & by_hand 1 "$@" >two.s
    wait $!
    hand+=("$(mean "$(<one.s)" "$(<two.s)")")
  done
  a=$(median "${alone[@]}") b=$(median "${two[@]}")
  printf '%.2f s alone, %.2f s side by side, %.2f s by hand with taskset (medians of 7; at best %.2f, %.2f, %.2f); load %s\n' \
    "$a" "$b" "$(median "${hand[@]}")" "$(least "${alone[@]}")" "$(least "${two[@]}")" "$(least "${hand[@]}")" \
    "$(cut -d' ' -f1 /proc/loadavg)"
  holds "$b <= 1.15 * $a"
}

mean() {
  calc "($1 + $2) / 2"
}

# ---- rows ----

# attempt HOW CHECKED 'FUNCTION WORD…': the last line that the function says is what was found, its status whether that is right.
attempt() {
  local how=$1 checked=$2 from=${EPOCHREALTIME/[.,]/} found ok=ok
  # shellcheck disable=SC2086
  found=$($3) || ok=WRONG
  row "$how" "$checked" "$(tail -n1 <<<"$found")" "$(calc "(${EPOCHREALTIME/[.,]/} - $from) / 1e6")" "$ok"
}

row() {
  printf '%s|%s|%s|%s|%.1f s|%s|\n' "$program" "${@//|//}" | tee -a "$work/rows/$part" >&2
}

skipped() {
  printf '%s|skipped||%s|||\n' "$program" "$1" | tee -a "$work/rows/$part" >&2
}

calc() {
  awk "BEGIN {printf \"%.6g\", $1}"
}

# holds EXPRESSION: of numbers, by awk.
holds() {
  awk "BEGIN {exit !($1)}"
}

# near A B [PART]: two numbers are the same up to that part (1e-6) of them.
near() {
  [ -n "$1" ] && [ -n "$2" ] &&
    awk -v a="$1" -v b="$2" -v p="${3:-1e-6}" 'BEGIN {d = a - b; s = b; if (d < 0) d = -d; if (s < 0) s = -s; exit !(d <= p * s)}'
}

median() {
  printf '%s\n' "$@" | sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'
}

least() {
  printf '%s\n' "$@" | sort -g | head -n1
}

all_rows() {
  local part
  for part in "${all[@]}"; do
    cat "$work/rows/$part" 2>/dev/null
  done
}

table() {
  { echo 'program|how|checked|found|time|' && all_rows; } | column -t -s '|'
}

# The table of the page is between two marks; the rest is written by hand.
write_page() {
  {
    sed '/<!-- table -->/q' "$1"
    printf 'Last written %s: gflow %s, %s cores, load %s at the end. What was not run again that time is older.\n\n' \
      "$(date +%F)" "$(gflow --version | awk '{print $NF}')" "$(nproc --all)" "$(cut -d' ' -f1 /proc/loadavg)"
    printf '| program | how | checked | found | time | |\n|---|---|---|---|---|---|\n'
    all_rows | sed 's/^/| /; s/|$/ |/; s/\([^ ]\)|\([^ ]\)/\1 | \2/g; s/||/| |/g'
    sed -n '/<!-- end -->/,$p' "$1"
  } >"$1.new" && mv "$1.new" "$1"
}
