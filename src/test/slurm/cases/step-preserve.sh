#!/bin/bash
#SBATCH -n 2
# With -E the numbers of the job stay.
srun -E -n1 printenv SLURM_NTASKS
srun --preserve-env -n1 printenv SLURM_NNODES
srun -n1 printenv SLURM_NTASKS
