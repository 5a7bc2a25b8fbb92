#!/bin/bash
#SBATCH --array=0-5%2
# Never more than two at a time.
mkdir -p now; touch now/$SLURM_ARRAY_TASK_ID
ls now | wc -l | tr -d ' ' >count.$SLURM_ARRAY_TASK_ID
sleep 0.3
rm now/$SLURM_ARRAY_TASK_ID
[ "$(cat count.$SLURM_ARRAY_TASK_ID)" -le 2 ]; echo "within $?"
rm count.$SLURM_ARRAY_TASK_ID
