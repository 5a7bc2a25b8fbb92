#!/bin/bash
#SBATCH -n 1 -J job-name
# A step has a name and a folder of its own.
mkdir sub
srun -J step-name --chdir=sub bash -c 'echo "$SLURM_JOB_NAME"; pwd'
