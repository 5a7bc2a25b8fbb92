#!/bin/bash
# What srun, salloc and sbatch take from variables outside a job.
#run SLURM_NTASKS=2 srun -Q echo n; SLURM_TIMELIMIT=3 srun -Q bash -c 'squeue -h -j $SLURM_JOB_ID -o %l'
#run SLURM_PARTITION=short srun -Q bash -c 'echo $SLURM_JOB_PARTITION'; SLURM_GPUS=1 srun -Q bash -c 'echo "gpu ${CUDA_VISIBLE_DEVICES:+yes}"'
#run SLURM_JOB_NAME=abc srun -Q bash -c 'echo $SLURM_JOB_NAME'; SLURM_NTASKS=2 srun -Q -n1 echo one
#run SALLOC_TIMELIMIT=3 SALLOC_PARTITION=short SALLOC_GPUS=1 salloc -Q bash -c 'squeue -h -j $SLURM_JOB_ID -o "%l %P"; echo "gpus $SLURM_GPUS"'
#run echo in >in.txt; SBATCH_WAIT=1 SBATCH_OUTPUT=out.txt SBATCH_ERROR=err.txt SBATCH_INPUT=in.txt sbatch job.sh >/dev/null; cat out.txt err.txt
echo waited; echo err >&2
