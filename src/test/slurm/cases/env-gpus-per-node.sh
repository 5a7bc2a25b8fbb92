#!/bin/bash
#SBATCH --gpus-per-node=2 --nodes=1
# GPUs on each node.
shown
