#!/bin/bash
#SBATCH -n 4 --gpus=2 --ntasks-per-gpu=2
# Two tasks on each GPU.
srun -l bash -c 'echo "$CUDA_VISIBLE_DEVICES"' | sort
