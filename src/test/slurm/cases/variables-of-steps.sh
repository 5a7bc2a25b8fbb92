#!/bin/bash
#SBATCH -n 2
# What srun takes from variables inside a job; the command line wins.
export SLURM_LABELIO=1; srun echo labelled | sort; unset SLURM_LABELIO
SLURM_STDOUTMODE=file.txt srun -n1 echo in a file
SRUN_CPUS_PER_TASK=2 srun -n1 bash -c 'echo "cpus $SLURM_CPUS_PER_TASK"'
SLURM_KILL_BAD_EXIT=1 srun bash -c 'if [ $SLURM_PROCID = 0 ]; then exit 3; fi; exec sleep 60' 2>/dev/null; echo "code $?"
SLURM_WORKING_DIR=/ srun -n1 pwd
SLURM_WORKING_DIR=/ srun -n1 -D /tmp pwd
FOO=1 SRUN_EXPORT_ENV=ALL,BAR=2 srun -n1 bash -c 'echo "$FOO $BAR"'
SLURM_OVERCOMMIT=1 srun -n3 echo one of three
