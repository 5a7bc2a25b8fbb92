#!/bin/bash
# A held job is released.
#run id=$(sbatch --parsable --hold job.sh); squeue -h -j $id -o '%T %r %Q'
#run scontrol release $id; echo "code $?"
echo ran
