#!/bin/bash
# A job submits jobs that wait for it and for each other.
one=$(sbatch --parsable --wrap 'echo one >>order')
two=$(sbatch --parsable -d afterok:$one --wrap 'echo two >>order')
sbatch -d afterok:$two:$SLURM_JOB_ID --wrap 'echo three >>order; echo "${SLURM_NTASKS-none}"' -n 2
