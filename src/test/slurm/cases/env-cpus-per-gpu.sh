#!/bin/bash
#SBATCH --gpus=2 --cpus-per-gpu=3
# CPUs for each GPU.
shown
