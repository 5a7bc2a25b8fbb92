#!/bin/bash
#SBATCH -n 1 -c 4
# CPUs of a step: those of the job, or those that it asks for.
srun bash -c 'echo "$SLURM_CPUS_ON_NODE ${SLURM_CPUS_PER_TASK-unset} $SLURM_NTASKS"'
srun -c 2 bash -c 'echo "$SLURM_CPUS_ON_NODE ${SLURM_CPUS_PER_TASK-unset}"'
srun -n 2 -c 2 bash -c 'echo "$SLURM_CPUS_ON_NODE"' | sort
srun -n 4 -c 1 --exact bash -c 'echo "$SLURM_CPUS_ON_NODE"' | sort
