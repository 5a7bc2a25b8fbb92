#!/bin/bash
#SBATCH --gpus=2 --ntasks-per-gpu=2
# Tasks for each GPU.
shown
