#!/bin/bash
# After a job that failed, and after any end.
#run id=$(sbatch --parsable --hold job.sh)
#run sbatch -d afternotok:$id --wrap 'echo failed'; sbatch -d afterany:$id --wrap 'echo any'
#run scontrol release $id
exit 2
