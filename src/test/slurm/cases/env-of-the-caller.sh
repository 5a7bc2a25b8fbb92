#!/bin/bash
#SBATCH --gpus=1
# A CUDA_VISIBLE_DEVICES of the caller does not count.
#run CUDA_VISIBLE_DEVICES=7 SLURM_NTASKS=9 FOO=1 sbatch job.sh
echo "foo=$FOO devices=$CUDA_VISIBLE_DEVICES"
