#!/bin/bash
#SBATCH --ntasks=2 --gpus-per-task=1
# GPUs for each task.
shown
