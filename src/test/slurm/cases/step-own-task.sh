#!/bin/bash
#SBATCH -n 2 --array=1,2
# The same in the task of an array.
srun --jobid=$SLURM_JOB_ID bash -c 'echo "$SLURM_PROCID of $SLURM_NTASKS"' | sort
