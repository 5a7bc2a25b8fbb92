#!/bin/bash
#SBATCH --ntasks 2 -c2   # two and two
##SBATCH --time=9
 #SBATCH --time=8
#SBATCH --job-name="two words" --time=00:07:00
#SBATCH -t7
# Which lines count, and how they are written.
echo "$SLURM_JOB_NAME $SLURM_NTASKS $SLURM_CPUS_PER_TASK"
