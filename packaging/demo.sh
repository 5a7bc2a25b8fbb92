#!/bin/sh
# gflow demo [--real]: a tour of gflow with a daemon of its own in a folder of its own. It touches
# neither your daemon nor your jobs, and leaves nothing behind, also after Ctrl-C.
set -eu
home=$1 && shift
gpus=sim:4x24G
for word; do
  case $word in
    --real) gpus=nvml ;;
    -h | --help)
      echo "usage: gflow demo [--real]   (4 simulated GPUs; --real takes those of this machine)"
      exit ;;
    *)
      echo "gflow demo: unknown word $word; usage: gflow demo [--real]" >&2
      exit 2 ;;
  esac
done

top=$(mktemp -d "${TMPDIR:-/tmp}/gflow-demo.XXXXXX")
# What an outer job or a shell's own settings say is not for this daemon.
unset GFLOW_JOB_ID GFLOW_CLIENT GFLOW_MEM 2>/dev/null || :
export GFLOW_HOME="$top/home" GFLOW_GPUS="$gpus" PATH="$home/bin:$PATH"
[ "$gpus" = nvml ] || export GFLOW_CPUS=16

clean() {
  trap '' INT TERM HUP
  gflowd down --cancel >/dev/null 2>&1 || :
  rm -rf "$top"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

bold='' plain=''
if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); fi

say() {
  printf '\n# %s\n' "$*"
}

# Shows a line as one would type it, and runs it.
run() {
  printf '%s$ %s%s\n' "$bold" "$1" "$plain"
  eval "$1"
}

mkdir "$top/work" && cd "$top/work"
cat >train.sh <<'EOF'
#!/bin/sh
# GFLOW --gpus 1 --time 10
echo "$GFLOW_JOB_NAME: lr=${lr:-0.1} on GPU $CUDA_VISIBLE_DEVICES"
sleep 0.5
EOF

if [ "$gpus" = nvml ]; then
  echo "A tour of gflow on the real GPUs of this machine."
else
  echo "A tour of gflow. Its 4 GPUs are simulated; ./gflow demo --real takes the real ones."
fi
say "A private daemon; the first gbatch would start one as well."
run "gflowd up"
run "ginfo"
count=$(ginfo --json | grep -c '"uuid"') || :
if [ "$count" = 0 ]; then
  echo "gflow demo: there is no GPU that gflow can see here; ./gflow demo simulates some" >&2
  exit 1
fi

say "One job takes every GPU, so what follows has to wait. The script says itself what it needs."
run "gbatch --gpus $count --name big --time 5 sleep 2"
run "cat train.sh"
run "gbatch --priority 5 --name later train.sh"
run "gbatch --priority 100 --name urgent train.sh"

say "A chain: each step starts when the one before has ended well. @ is the last job."
run "gbatch --name prepare --wrap 'echo 1000 images; sleep 1'"
run "gbatch --name train --depends-on @ train.sh"
run "gbatch --name report --depends-on @ --wrap 'echo accuracy 0.97'"

say "A sweep is one array with a task for each combination."
run "gbatch --name sweep --param lr=0.1,0.01 --param seed=1:2 train.sh"

say "The queue: who has which GPUs, and why the others wait."
run "gqueue"
run "ginfo"

say "When all is over, look at what happened: urgent went before later."
run "gjob wait 1-7"
run "gqueue -s all -f JOBID,NAME,STATE,PRIORITY,NODES,START"
run "gjob log 5"
run "gjob show 5"

say "That was it. ./gflow install puts the commands into ~/.local; README.md goes on from here."
run "gflowd down --cancel"
