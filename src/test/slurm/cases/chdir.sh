#!/bin/bash
#SBATCH --output=out.txt
# Another folder: the output is relative to it, SLURM_SUBMIT_DIR stays.
#run mkdir sub; sbatch --chdir=sub job.sh
pwd
echo "$SLURM_SUBMIT_DIR"
