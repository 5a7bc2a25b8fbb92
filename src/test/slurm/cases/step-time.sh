#!/bin/bash
#SBATCH -n 1
# A step with a time limit of its own.
srun -n1 --time=0:01 sleep 150 2>/dev/null; echo "code $?"
