#!/bin/bash
#SBATCH -n 4 --gres=gpu:4
# Ways to ask for GPUs in a step.
show='echo "${CUDA_VISIBLE_DEVICES-}"'
srun -n1 --gpus=2 bash -c "$show"
srun -n1 --gpus-per-node=3 bash -c "$show"
srun -l -n4 --ntasks-per-gpu=2 --gpus=2 bash -c "$show" | sort
srun -n1 --gres=gpu:a100:1 bash -c "$show"
srun -n1 --gpus=0 bash -c "$show"
