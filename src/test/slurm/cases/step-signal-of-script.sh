#!/bin/bash
#SBATCH -n 1
# A script hands a signal on to its step.
srun bash -c 'trap "echo caught; exit 3" USR1; echo 1 >ready; while :; do sleep 0.1; done' 2>/dev/null &
await ready
kill -USR1 $!
wait $!
echo "code $?"
