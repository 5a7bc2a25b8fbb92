#!/bin/bash
#SBATCH --gpus=2 --mem-per-gpu=500
# Memory for each GPU.
shown
