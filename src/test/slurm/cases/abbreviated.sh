#!/bin/bash
#SBATCH --ntasks-per-n=2 --comm=hello
# Long options may be cut short, as long as Slurm has no other that begins so.
#run first=$(sbatch --pars job.sh); sbatch --depend=afterok:$first --job-n=second --cpus-per-t=2 job.sh; echo "code $?"
#run sbatch --mem-per=1 job.sh 2>/dev/null; echo "code $?"
echo "$SLURM_JOB_NAME $SLURM_NTASKS $SLURM_CPUS_PER_TASK"
