#!/bin/bash
# What a step has after --export=FOO for the job.
#run FOO=1 BAR=2 sbatch -n 1 --export=FOO job.sh
echo "export ${SLURM_EXPORT_ENV-unset}"
export LATER=3
srun /bin/bash -c 'echo "${FOO-unset} ${BAR-unset} ${LATER-unset}"'
