#!/bin/bash
#SBATCH -n 2 --gres=gpu:2
# A step has all GPUs of its job, or none.
srun -l bash -c 'echo "$CUDA_VISIBLE_DEVICES"' | sort
srun -n1 --gres=none bash -c 'echo "none: ${CUDA_VISIBLE_DEVICES-}"'
