#!/bin/bash
#SBATCH --array=1-4%2
# A waiting array is one line, or with -r one for each task.
#run id=$(sbatch --parsable --hold job.sh); squeue -h -j $id -o '%i %T %F %K'; squeue -h -r -j $id -o '%i %K'
#run scancel ${id}_[2-3]; squeue -h -j $id -o '%i'; scancel $id
true
