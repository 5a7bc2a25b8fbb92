#!/bin/bash
#SBATCH -n 2
# What srun says of tasks that fail.
srun -n1 bash -c 'exit 3'
srun -n2 bash -c 'exit 3'
srun -n1 bash -c 'kill -9 $$'
srun -n1 no-such-program; echo "code $?"
