#!/bin/bash
#SBATCH --job-name=from-line --time=3
# SBATCH_ variables win over lines, the command line over both.
#run SBATCH_JOB_NAME=from-variable SBATCH_TIMELIMIT=4 sbatch job.sh
#run SBATCH_JOB_NAME=from-variable sbatch --job-name=from-call job.sh
echo "$SLURM_JOB_NAME"
