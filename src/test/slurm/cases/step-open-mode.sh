#!/bin/bash
#SBATCH -n 1
# The output of a step replaces what was there, or is added to it.
echo before >out.txt
srun -o out.txt echo one
srun -o out.txt --open-mode=append echo two
cat out.txt
