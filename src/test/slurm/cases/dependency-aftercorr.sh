#!/bin/bash
#SBATCH --array=1-2
# Each task after the one with its index.
#run id=$(sbatch --parsable --hold job.sh)
#run sbatch --array=1-2 -d aftercorr:$id --kill-on-invalid-dep=yes --wrap 'echo "after $SLURM_ARRAY_TASK_ID"'
#run scontrol release $id
exit $((SLURM_ARRAY_TASK_ID - 1))
