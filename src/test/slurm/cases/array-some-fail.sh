#!/bin/bash
#SBATCH --array=0-3
# Tasks end by themselves.
exit $((SLURM_ARRAY_TASK_ID % 2))
