#!/bin/bash
#SBATCH -n 2
# A script that comes through a pipe.
#run sbatch < job.sh
echo "name=$SLURM_JOB_NAME ntasks=$SLURM_NTASKS"
