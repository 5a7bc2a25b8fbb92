#!/bin/bash
#SBATCH -n 1
# A step that does not want to wait.
srun -n1 sleep 3 &
sleep 1
srun -n1 --immediate=1 true; echo "code $?"
wait
