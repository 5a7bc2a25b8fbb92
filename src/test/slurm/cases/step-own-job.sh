#!/bin/bash
#SBATCH -n 2
# A step that names the job which it stands in has the tasks of the job.
srun --jobid=$SLURM_JOB_ID bash -c 'echo "$SLURM_PROCID of $SLURM_NTASKS"' | sort
srun --jobid $SLURM_JOBID -n1 bash -c 'echo "$SLURM_PROCID of $SLURM_NTASKS"'
