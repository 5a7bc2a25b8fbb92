#!/bin/bash
#SBATCH -n 2
# A step within a step.
srun -n1 --mem=0 bash -c 'echo "outer $SLURM_STEP_ID"; srun --overlap --mem=0 -n1 bash -c "echo inner \$SLURM_STEP_ID"'
