#!/bin/bash
#SBATCH --time=1:02 --signal=USR1@60
# A signal before the end, to the steps alone.
trap 'echo never' USR1
srun -n1 bash -c 'trap "echo step caught; exit 5" USR1; echo begin; sleep 150 & wait'
echo "code $?"
