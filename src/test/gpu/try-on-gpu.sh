#!/bin/sh
# Tries gflow on a machine with a real NVIDIA GPU, which needs neither JDK nor Maven:
#
#     src/test/gpu/try-on-gpu.sh UNPACKED_IMAGE [FOLDER_FOR_THE_RECORD]
#
# UNPACKED_IMAGE is what `gflow dist` packs (run-time, jars, launcher). Everything runs in a fresh
# GFLOW_HOME, with a daemon of its own, and is gone at the end. Each check prints "ok", "NOT ok" or
# "skipped"; the exit code is the number of those that were not ok. figures.md in the record is a table.
set -u
here=$(cd "$(dirname "$0")" && pwd)
image=$(cd "${1:?usage: try-on-gpu.sh UNPACKED_IMAGE [FOLDER]}" && pwd) || exit 2
command -v nvidia-smi >/dev/null || { echo "no nvidia-smi here: not a GPU machine" >&2; exit 2; }

work=$(mktemp -d)
record=${2:-$(mktemp -d)}
mkdir -p "$work/bin" "$record"
record=$(cd "$record" && pwd)
export GFLOW_HOME="$work/home" PATH="$work/bin:$PATH"
unset GFLOW_GPUS GFLOW_CPUS GFLOW_MEM CUDA_VISIBLE_DEVICES
failed=0
outsider=
asking=

# Ends only what this script started.
finish() {
  [ -z "$outsider$asking" ] || kill $outsider $asking 2>/dev/null
  gflowd down --cancel >/dev/null 2>&1
  cp "$GFLOW_HOME"/*.log "$record" 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

say() { printf '\n== %s\n' "$*"; }
ok() { printf 'ok      %s\n' "$*"; }
skip() { printf 'skipped %s\n' "$*"; }
bad() { printf 'NOT ok  %s\n' "$*"; failed=$((failed + 1)); }
check() { # check WHAT COMMAND...
  what=$1; shift
  if "$@" >/dev/null 2>&1; then ok "$what"; else bad "$what"; fi
}
# Waits up to SECONDS until a command succeeds.
within() { # within SECONDS COMMAND...
  left=$(($1 * 5)); shift
  until "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || return 1
    sleep 0.2
  done
}
# The value of a key in JSON on stdin: the first one, as text without quotes.
value() {
  grep -o "\"$1\" *: *\"\{0,1\}[^\",}]*" | head -n 1 | sed 's/.*[:"] *//'
}
field() { gjob show "$1" --json | tr -d '\n' | value "$2"; }
state_is() { [ "$(field "$1" state)" = "$2" ]; }
ended() { case $(field "$1" state) in PENDING | RUNNING | COMPLETING | '') return 1 ;; esac; }

# The commands: links to the image's launcher, or the main class where it has none.
launcher=
for f in "$image/bin/gflow" "$image/gflow"; do [ -x "$f" ] && { launcher=$f; break; }; done
for name in gflow gflowd gbatch grun gqueue ginfo gjob gcancel gctl; do
  if [ -n "$launcher" ]; then
    ln -s "$launcher" "$work/bin/$name"
  else
    java=$(find "$image" -path '*/bin/java' | head -n 1)
    jars=$(find "$image" -name '*.jar' | tr '\n' ':')
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nexec "%s" --enable-native-access=ALL-UNNAMED -cp "%s" gflow.Main %s "$@"\n' \
      "${java:?no java in $image}" "$jars" "$name" >"$work/bin/$name"
    chmod +x "$work/bin/$name"
  fi
done

say "1. the daemon, with the real GPUs"
check "gflowd up" gflowd up
gflowd status || bad "gflowd status"

say "2. the inventory is nvidia-smi's"
ginfo info | tee "$record/ginfo.txt"
ginfo info --json >"$record/ginfo.json"
nvidia-smi --query-gpu=index,uuid,name,memory.total --format=csv,noheader,nounits |
  tee "$record/nvidia-smi.csv"
tr -d '\n' <"$record/ginfo.json" >"$work/ginfo.line"
gpus=0
while IFS=, read -r index uuid model mib; do
  gpus=$((gpus + 1))
  uuid=${uuid# } model=${model# } mib=${mib# }
  check "GPU $index: $uuid in ginfo --json" grep -qF "$uuid" "$work/ginfo.line"
  check "GPU $index: $model in ginfo" grep -qF "$model" "$record/ginfo.txt"
  # NVML counts bytes, nvidia-smi whole MiB: compare the MiB of every number in the JSON.
  check "GPU $index: $mib MiB in ginfo --json" awk -v want="$mib" '
    { gsub(/[^0-9]+/, "\n"); n = split($0, number, "\n")
      for (i = 1; i <= n; i++) if (int(number[i] / 1048576) == want + 0) found = 1 }
    END { exit !found }' "$work/ginfo.line"
done <"$record/nvidia-smi.csv"
if grep -qi simulated "$record/ginfo.txt"; then bad "these are simulated GPUs"; else ok "real"; fi

say "3. a job gets a GPU"
first=$(nvidia-smi --query-gpu=index --format=csv,noheader | head -n 1)
# shellcheck disable=SC2016
id=$(gbatch --gpus 1 --output "$record/job.log" \
  --wrap 'echo "CVD=$CUDA_VISIBLE_DEVICES"; nvidia-smi -L' | grep -o '[0-9]*$')
check "submitted as ${id:-nothing}" test -n "${id:-}"
check "it ends with 0 within 30 s" within 30 state_is "$id" COMPLETED
cat "$record/job.log"
check "CUDA_VISIBLE_DEVICES names one GPU" \
  grep -qE '^CVD=([0-9]+|GPU-[0-9a-f-]+)$' "$record/job.log"

say "4. an outsider"
client=$here/client.py
# Not a shim of pyenv's: that is a script, which a job gets a copy of, under another name.
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
mib=$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits | head -n 1)
model=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
part() { echo $((mib * $1 / 100 / 1024)); } # part PERCENT: of the GPU's memory, in GiB
torch='import torch; assert torch.cuda.is_available()'
[ -n "$python" ] && "$python" -c "$torch" 2>/dev/null || python=
if [ -n "$python" ]; then
  CUDA_VISIBLE_DEVICES=$first "$python" "$client" hold "$(part 43)" "$work/go" \
    >"$work/outsider.txt" 2>&1 &
  outsider=$!
  check "the outsider holds $(part 43) GiB" within 60 grep -q holding "$work/outsider.txt"
  shows_outsider() { ginfo info | grep -q "$outsider"; }
  check "ginfo names pid $outsider" within 15 shows_outsider
  ginfo info | tee "$record/ginfo-outsider.txt"
  small=$(gbatch --parsable --gpu-ids "$first" --gpu-memory "$(part 14)G" --output none true)
  check "a job of $(part 14)G runs beside it" within 15 state_is "$small" COMPLETED
  # All GPUs are asked for, so that the job needs the one that the outsider has.
  id=$(gbatch --gpus "$gpus" --output none --wrap true | grep -o '[0-9]*$')
  large=$(gbatch --parsable --gpu-ids "$first" --gpu-memory "$(part 72)G" --output none true)
  sleep 3
  check "the job waits" state_is "$id" PENDING
  gqueue -j "$id,$large" | tee "$record/gqueue-outsider.txt"
  check "and the reason is shown" grep -q "(.*)" "$record/gqueue-outsider.txt"
  check "which names pid $outsider" grep -q "$outsider" "$record/gqueue-outsider.txt"
  check "one of $(part 72)G waits too, and reads what is free" grep -q \
    "(Resources: GPU $first has [0-9.]*G of [0-9.]*G free, $(part 72)G asked" "$record/gqueue-outsider.txt"
  kill "$outsider"
  wait "$outsider" 2>/dev/null
  outsider=
  check "when the outsider leaves, the job runs within 15 s" within 15 state_is "$id" COMPLETED
  check "and the large one" within 15 state_is "$large" COMPLETED
else
  skip "no python3 with torch and CUDA here"
fi

say "5. memory, enforced by a cgroup"
if [ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ]; then
  # 1.4 GB at most, so that a limit which does not hold harms nobody.
  id=$(gbatch --mem 200M --output "$record/oom.log" \
    --wrap 'head -c 1500000000 /dev/zero | tail -c 1400000000 >/dev/null' | grep -o '[0-9]*$')
  check "the job that takes too much ends within 60 s" within 60 ended "$id"
  gjob show "$id" | tee "$record/oom.txt"
  check "as OUT_OF_MEMORY" state_is "$id" OUT_OF_MEMORY
  id=$(gbatch --mem 2G --output none \
    --wrap 'head -c 500000000 /dev/zero | tail -c 400000000 >/dev/null' | grep -o '[0-9]*$')
  check "one within its limit completes" within 60 state_is "$id" COMPLETED
else
  skip "no cgroup v2 here"
fi

if [ -n "$python" ]; then
  # shellcheck source=src/test/gpu/sharing.sh
  . "$here/sharing.sh"
fi

say "11. nothing is left"
check "gflowd down" gflowd down
nvidia-smi --query-compute-apps=pid,name,used_memory --format=csv
printf '\n%s checks were not ok; the record is in %s\n' "$failed" "$record"
exit "$failed"
