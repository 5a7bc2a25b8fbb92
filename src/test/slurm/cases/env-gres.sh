#!/bin/bash
#SBATCH --gres=gpu:2
# GPUs in Slurm's general form.
shown
