#!/bin/bash
#SBATCH -n 2
# Stdin goes to all tasks, or to one.
echo hello | srun -l cat | sort
echo hello | srun -l -i0 cat | sort
srun -n1 --input=none cat; echo "code $?"
