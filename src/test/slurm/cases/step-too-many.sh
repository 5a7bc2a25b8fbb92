#!/bin/bash
#SBATCH -n 2 --gres=gpu:1
# More than the job has.
srun -n 3 true; echo "code $?"
srun -n 1 --gres=gpu:2 true; echo "code $?"
srun -n 2 --nodes=2 true; echo "code $?"
srun -n 2 -c 2 true; echo "code $?"
