#!/bin/bash
# A script that was written for Slurm: its directives and variables mean the same here.
#
# $ gbatch examples/slurm.sh
#
#SBATCH --job-name=slurm
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=2
#SBATCH --mem=500M
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out

echo "job $SLURM_JOB_ID on $SLURM_JOB_NODELIST with $SLURM_CPUS_PER_TASK CPUs"
echo "GPU $CUDA_VISIBLE_DEVICES, $OMP_NUM_THREADS threads"
