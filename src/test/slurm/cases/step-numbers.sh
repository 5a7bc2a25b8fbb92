#!/bin/bash
#SBATCH -n 1
# Steps are counted.
for i in 1 2 3; do srun bash -c 'echo "$SLURM_STEP_ID $SLURM_STEPID"'; done
