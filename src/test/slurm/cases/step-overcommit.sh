#!/bin/bash
#SBATCH -n 2 -c 2
# A step with more tasks than the job has CPUs.
#run sbatch job.sh; sbatch -n40 -O -c3 job.sh; srun -Q -n20 -O echo hi | sort | uniq -c
srun -n9 -O bash -c 'echo $SLURM_PROCID of $SLURM_NTASKS cpus $SLURM_CPUS_ON_NODE' | sort -n | tail -1
srun -n9 --overcommit -l true; echo "code $?"
