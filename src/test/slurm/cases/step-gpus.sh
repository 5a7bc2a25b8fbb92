#!/bin/bash
#SBATCH -n 2 --gres=gpu:2
# The environment of a step with GPUs.
srun -n1 --gres=gpu:1 shown
