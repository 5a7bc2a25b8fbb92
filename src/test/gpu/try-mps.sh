#!/bin/sh
# Tries MPS run by gflow on a machine with a real NVIDIA GPU, python3 and torch:
#
#     src/test/gpu/try-mps.sh UNPACKED_IMAGE [FOLDER_FOR_THE_RECORD]
#
# UNPACKED_IMAGE is what `gflow dist` packs. Everything runs in a fresh GFLOW_HOME, with a daemon of
# its own, and is gone at the end. Each check prints "ok", "NOT ok" or "skipped"; the exit code is the
# number of those that were not ok. It takes about four minutes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
image=$(cd "${1:?usage: try-mps.sh UNPACKED_IMAGE [FOLDER]}" && pwd) || exit 2
command -v nvidia-cuda-mps-control >/dev/null || { echo "no nvidia-cuda-mps-control here" >&2; exit 2; }
python=$(command -v python3) || { echo "no python3 here" >&2; exit 2; }

work=$(mktemp -d)
record=${2:-$(mktemp -d)}
mkdir -p "$record"
record=$(cd "$record" && pwd)
export GFLOW_HOME="$work/home" PATH="$image/bin:$PATH"
unset GFLOW_GPUS GFLOW_CPUS GFLOW_MEM CUDA_VISIBLE_DEVICES CUDA_MPS_PIPE_DIRECTORY
failed=0

finish() {
  gflowd down --cancel >/dev/null 2>&1
  cp "$GFLOW_HOME"/*.log "$record" 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

say() { printf '\n== %s\n' "$*"; }
ok() { printf 'ok      %s\n' "$*"; }
bad() { printf 'NOT ok  %s\n' "$*"; failed=$((failed + 1)); }
check() { # check WHAT COMMAND...
  what=$1; shift
  if "$@" >/dev/null 2>&1; then ok "$what"; else bad "$what"; fi
}
within() { # within SECONDS COMMAND...
  left=$(($1 * 5)); shift
  until "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || return 1
    sleep 0.2
  done
}
shows() { gjob show "$1" | grep -q "$2"; }
state_is() { shows "$1" "State=$2"; }
# Our control daemons and servers: by the variable that only they have in this home.
ours() {
  for p in $(pgrep nvidia-cuda-mps); do
    grep -qz "^CUDA_MPS_PIPE_DIRECTORY=$GFLOW_HOME/run/mps/" "/proc/$p/environ" 2>/dev/null &&
      grep -qs '^State:	[^ZX]' "/proc/$p/status" && echo "$p"
  done
}
controls() { for p in $(ours); do grep -qz '^-f$' "/proc/$p/cmdline" && echo "$p"; done; }
servers() { for p in $(ours); do grep -qz '^-f$' "/proc/$p/cmdline" || echo "$p"; done; }
count_is() { [ "$($1 | wc -l)" -eq "$2" ]; }
nothing_left() { count_is ours 0 && [ -z "$(ls "$GFLOW_HOME/run/mps" 2>/dev/null)" ]; }
# What a control daemon answers.
told() { echo "$1" | CUDA_MPS_PIPE_DIRECTORY=$(ls -d "$GFLOW_HOME"/run/mps/*/pipe) timeout 5 nvidia-cuda-mps-control; }
clients() { for s in $(told get_server_list); do told "get_client_list $s"; done; }
# Rates that were written in the last seconds.
fresh() { find "$work" -name "$1" -newermt '-4 seconds' | wc -l; }
fresh_is() { [ "$(fresh "$1")" -ge "$2" ]; }
sum() { cat "$work"/$1 | awk '{ s += $2 } END { printf "%d", s }'; }
submit() { gbatch "$@" | grep -o '[0-9]*$'; }
client="$python $here/mps_client.py"
over() { touch "$work/$1.end"; within 60 state_is "$2" COMPLETED; }

say "0. the daemon"
check "gflowd up" gflowd up
gflowd status | grep -E 'GPUs|Fenced|MPS'
check "it has MPS" sh -c 'gflowd status | grep -q "MPS .*several programs"'
check "nothing runs yet" nothing_left

say "1. eight clients by --spread, without asking"
id=$(submit -n 8 --gpus 1 --spread -o none $client "$work/a.end" "$work/a.{task}")
check "eight clients compute" within 90 fresh_is 'a.[0-7]' 8
check "gjob show has Mps=yes" shows "$id" "Mps=yes (several programs"
check "one control daemon" count_is controls 1
check "one server" count_is servers 1
check "the server's list has all eight" count_is clients 8
clients | sort >"$work/attached"
cat "$work"/a.[0-7] | cut -d' ' -f1 | sort >"$work/computing"
check "and they are those that compute" cmp "$work/attached" "$work/computing"
sleep 12
check "ginfo says 8 clients" sh -c 'ginfo | grep -q "MPS: 8 clients"'
check "no outsider" sh -c '! ginfo | grep -qi outsider'
check "nobody is said to run without it" sh -c "! gjob show $id | grep -q 'without MPS'"
sleep 2; mps=$(sum 'a.[0-7]')

say "2. kill -9 of one client, and of the daemon"
control=$(controls)
kill -9 "$(cut -d' ' -f1 "$work/a.3")"
sleep 5
check "the seven others go on" fresh_is 'a.[0-7]' 7
read -r daemon _ <"$GFLOW_HOME/run/door/daemon"
kill -9 "$daemon"
sleep 2
check "the clients go on without a daemon or with the next" fresh_is 'a.[0-7]' 7
check "gflowd up" gflowd up
check "the next daemon has the same server" sh -c "[ '$(controls)' = '$control' ]"
sleep 3
check "and they go on" fresh_is 'a.[0-7]' 7
touch "$work/a.end"
within 60 shows "$id" 'State=\(COMPLETED\|FAILED\)' || bad "the job ends"
check "nothing of MPS is left" within 10 nothing_left

say "3. the same without MPS"
id=$(submit -n 8 --gpus 1 --spread --no-mps -o none $client "$work/b.end" "$work/b.{task}")
check "eight clients compute" within 90 fresh_is 'b.[0-7]' 8
check "no server" nothing_left
sleep 3; plain=$(sum 'b.[0-7]')
check "it ends well" over b "$id"

say "4. a launch script that chooses its GPU itself, behind a fence and without"
gpus=$(nvidia-smi -L | grep -c '^GPU')
cat >"$work/launch.sh" <<L
#!/bin/bash
export CUDA_VISIBLE_DEVICES=\$((SLURM_LOCALID % $gpus))
exec $client "$work/\$NAME.end" "$work/\$NAME.\$SLURM_LOCALID"
L
chmod +x "$work/launch.sh"
for fence in --fence --no-fence; do
  name=c$fence
  printf '#!/bin/bash\n#SBATCH --gres=gpu:%s\n#SBATCH --ntasks-per-node=4 -O\n#SBATCH --nvmps\nexport NAME=%s\nsrun %s\n' \
    "$gpus" "$name" "$work/launch.sh" >"$work/job.sh"
  id=$(submit $fence -o "$record/$name.log" "$work/job.sh")
  check "$fence: four clients compute" within 90 fresh_is "$name.[0-3]" 4
  check "$fence: all are attached" count_is clients 4
  check "$fence: it ends well" over "$name" "$id"
  check "$fence: nothing is left" within 10 nothing_left
done

say "5. parts of one GPU share a server"
id=$(submit --array 0-3 --gpus 1/4 --mps --gpu-memory-limit enforce -o none \
  --wrap "$client $work/d.end $work/d.\$SLURM_ARRAY_TASK_ID")
check "four tasks compute" within 90 fresh_is 'd.[0-3]' 4
check "one control daemon" count_is controls 1
check "four clients" count_is clients 4
check "it ends well" over d "$id"
check "nothing is left" within 10 nothing_left

say "6. the server is killed"
id=$(submit -n 2 --gpus 1 --spread --mps -o "$record/killed.log" $client "$work/e.end" "$work/e.{task}")
check "two clients compute" within 60 fresh_is 'e.[0-1]' 2
kill -9 "$(servers)"
check "the job fails" within 60 state_is "$id" FAILED
check "and the cause is mps" shows "$id" "Cause=mps"
gjob show "$id" | grep -E 'Cause|Reason'
check "nothing is left" within 10 nothing_left

say "7. the control daemon is killed, a job is cancelled"
id=$(submit --gpus 1 --mps -o "$record/control.log" $client "$work/f.end" "$work/f.0")
check "a client computes" within 60 fresh_is f.0 1
kill -9 "$(controls)"
check "there is a new one" within 20 count_is servers 1
check "the client that had the old one has failed by it" within 30 shows "$id" Cause=mps
id=$(submit --gpus 1 --mps -o none $client "$work/g.end" "$work/g.0")
check "the next job computes" within 60 fresh_is g.0 1
gcancel "$id"
check "cancelled" within 40 state_is "$id" CANCELLED
check "nothing is left" within 10 nothing_left

say "evaluations per second of 8 clients"
printf '| 8 clients | in turns | MPS |\n|---|---|---|\n| evaluations/s | %s | %s |\n' "$plain" "$mps" |
  tee "$record/mps.md"
check "MPS is faster" test "$mps" -gt "$plain"
printf '\n%d not ok; record in %s\n' "$failed" "$record"
exit "$failed"
