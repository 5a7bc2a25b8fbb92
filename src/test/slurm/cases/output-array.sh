#!/bin/bash
#SBATCH --array=1-2 --output=%A_%a.txt --error=%4a.err
# Patterns for an array, padding, and stderr apart.
echo "out $SLURM_ARRAY_TASK_ID"
echo "err $SLURM_ARRAY_TASK_ID" >&2
