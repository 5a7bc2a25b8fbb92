#!/bin/bash
# After a job that ended well.
#run id=$(sbatch --parsable --hold job.sh); next=$(sbatch --parsable -d afterok:$id --wrap 'echo next')
#run sleep 1; squeue -h -j $next -o '%T %r %E'; scontrol release $id
echo first
