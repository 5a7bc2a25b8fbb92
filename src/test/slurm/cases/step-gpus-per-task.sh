#!/bin/bash
#SBATCH -n 4 --gres=gpu:4
# GPUs of its own for each task.
srun -l --gpus-per-task=1 bash -c 'echo "$CUDA_VISIBLE_DEVICES"' | sort
srun -l -n2 --gpus-per-task=2 bash -c 'echo "$CUDA_VISIBLE_DEVICES"' | sort
