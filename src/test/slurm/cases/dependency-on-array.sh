#!/bin/bash
#SBATCH --array=1-3
# After all tasks of an array, after one of them, and after its start.
#run id=$(sbatch --parsable --hold job.sh)
#run sbatch -d afterok:$id --wrap 'echo "all $(ls done.* | wc -l)"'
#run sbatch -d afterok:${id}_1 --wrap 'ls done.1'
#run sbatch -d after:$id --wrap 'echo started'
#run scontrol release $id
touch done.$SLURM_ARRAY_TASK_ID
sleep 0.3
