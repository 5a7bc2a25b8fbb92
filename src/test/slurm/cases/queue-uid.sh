#!/bin/bash
# Users may be named by their numbers; a filter counts for named jobs too.
#run id=$(sbatch --parsable --hold job.sh); squeue -h -u $(id -u) -j $id -o '%i %t'; squeue -h -n nosuch -j $id -o "%i %t"
#run scancel -n nosuch $id; squeue -h -j $id -o %t; scancel -u $(id -u) $id; squeue -h -t all -j $id -o %t
true
