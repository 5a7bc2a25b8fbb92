#!/bin/bash
# All of several.
#run one=$(sbatch --parsable --hold --wrap 'exit 1'); two=$(sbatch --parsable --hold --wrap true)
#run id=$(sbatch --parsable -d "afternotok:$one,afterok:$two" job.sh); squeue -h -j $id -o %E
#run scontrol release $one; await FAILED $one; sleep 2; squeue -h -j $id -o '%T %E'; scontrol release $two
echo ran
