#!/bin/bash
#SBATCH --array=1-3%1
# A waiting task of an array is cancelled.
#run id=$(sbatch --parsable job.sh); await slurm-${id}_1.out; scancel ${id}_2; touch go
echo "task $SLURM_ARRAY_TASK_ID"
until [ -e go ]; do sleep 0.1; done
