#!/bin/bash
# A running job goes back and is held.
#run id=$(sbatch --parsable job.sh); await RUNNING $id; scontrol requeuehold $id; echo "code $?"
#run await PENDING $id; sleep 7; squeue -h -j $id -o '%T %Q'; scancel $id
[ -n "${SLURM_RESTART_COUNT-}" ] || exec sleep 30
