#!/bin/bash
#SBATCH --gpus=2
# GPUs for the job.
shown
