#!/bin/bash
# A line instead of a script.
#run sbatch -n 2 --wrap 'echo "$SLURM_JOB_NAME $SLURM_NTASKS"'
