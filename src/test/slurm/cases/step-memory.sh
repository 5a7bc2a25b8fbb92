#!/bin/bash
#SBATCH -n 2 --mem=1000
# Memory of a step, and more than there is.
srun -n1 --mem=400 bash -c 'echo "${SLURM_MEM_PER_NODE-unset} ${SLURM_MEM_PER_CPU-unset}"'
srun -n1 --mem=2000 true; echo "code $?"
