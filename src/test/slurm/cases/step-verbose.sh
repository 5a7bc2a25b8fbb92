#!/bin/bash
#SBATCH -n 2
# Users and programs take the number of a job from what srun -v says.
srun -v true 2>&1 | grep -o 'jobid [0-9]*: .*\|launching StepId.*'
srun -v -n1 true 2>&1 | grep -o 'launching StepId.*'
