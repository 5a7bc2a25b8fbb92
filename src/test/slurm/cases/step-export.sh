#!/bin/bash
#SBATCH -n 1
# Variables for a step.
export FOO=1 BAR=2
srun bash -c 'echo "${FOO-unset} ${BAR-unset}"'
srun --export=ALL,BAZ=3 bash -c 'echo "${FOO-unset} ${BAZ-unset}"'
srun --export=FOO,BAZ=3 /bin/bash -c 'echo "${FOO-unset} ${BAR-unset} ${BAZ-unset}"'
srun --export=NONE /bin/bash -c 'echo "${FOO-unset} ${SLURM_PROCID-unset}"'
