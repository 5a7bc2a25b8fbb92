#!/bin/bash
#SBATCH --array=1-4%1
# An array in the queue is changed.
#run id=$(sbatch --parsable --hold job.sh); scontrol update JobId=$id ArrayTaskThrottle=2 TimeLimit=9; echo "code $?"
#run squeue -h -j $id -o %i; scontrol release $id
true
