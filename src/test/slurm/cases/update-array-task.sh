#!/bin/bash
#SBATCH --array=1-3
# One task of an array is changed.
#run id=$(sbatch --parsable --hold job.sh); scontrol update JobId=${id}_3 TimeLimit=5; echo "code $?"
#run scontrol release $id
true
