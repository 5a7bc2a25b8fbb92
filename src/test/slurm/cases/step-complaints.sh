#!/bin/bash
#SBATCH -n 2
# What srun says of a task that fails.
srun -n1 bash -c 'exit 3'
srun -n1 bash -c 'kill -9 $$'
srun -n1 no-such-program 2>&1 | sort; echo "code ${PIPESTATUS[0]}"
