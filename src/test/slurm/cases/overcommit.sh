#!/bin/bash
#SBATCH -n 20 --overcommit
# More tasks than CPUs: they share them.
echo "$SLURM_NTASKS tasks, $SLURM_CPUS_ON_NODE cpus, overcommit ${SLURM_OVERCOMMIT-unset}, $SLURM_TASKS_PER_NODE"
srun bash -c 'echo $SLURM_PROCID of $SLURM_NTASKS' | sort -n | tail -1
srun -n2 bash -c 'echo $SLURM_PROCID of $SLURM_NTASKS' | sort
unset SLURM_OVERCOMMIT; srun -n2 echo too many 2>&1
