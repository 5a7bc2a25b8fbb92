#!/bin/bash
# A waiting job gets another limit and another name.
#run id=$(sbatch --parsable --hold --time=5 job.sh); scontrol update JobId=$id TimeLimit=7 JobName=other
#run echo "code $?"; squeue -h -j $id -o '%l %j'; scancel $id
true
