#!/bin/bash
# The script of a job can be had back.
#run id=$(sbatch --parsable --hold job.sh); scontrol write batch_script $id copy.txt; echo "code $?"; scancel $id
true
