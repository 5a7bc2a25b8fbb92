#!/bin/bash
#SBATCH --requeue --open-mode=append
# A job that asks for another run.
echo "restart ${SLURM_RESTART_COUNT-none}"
[ -n "${SLURM_RESTART_COUNT-}" ] || { scontrol requeue $SLURM_JOB_ID; sleep 50; }
