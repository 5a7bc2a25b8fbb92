#!/bin/bash
#SBATCH -n 2
# A step that runs, as scontrol shows it; with -d the CPUs of the job.
#run sbatch -W --gres=gpu:1 job.sh
srun -n1 -J mine --mem=10 --gres=gpu:1 sleep 3 &
for i in 1 2 3 4 5 6 7 8 9; do scontrol show step $SLURM_JOB_ID.0 >/dev/null 2>&1 && break; sleep 0.5; done
scontrol show step $SLURM_JOB_ID.0 | grep -oE '(StepId|State|Nodes|CPUs|Tasks|Name|Partition)=[^ ]*'
scontrol show step 999999.0; echo "code $?"
scontrol show job $SLURM_JOB_ID | grep -c CPU_IDs
scontrol -d show job $SLURM_JOB_ID | grep -cE '^ +Nodes=.* CPU_IDs=.* GRES=gpu:.*IDX:'
wait
