#!/bin/bash
# CPUs and disk that the node must have: as many are given, and more than there are is refused.
#run sbatch job.sh; for o in --mincpus=9999 --tmp=999999999; do sbatch $o job.sh; echo "code $?"; done
#SBATCH --mincpus=3
echo "$SLURM_CPUS_ON_NODE $SLURM_NTASKS $SLURM_CPUS_PER_TASK"
