#!/bin/bash
#SBATCH --gres=gpu:a100:1
# A GPU of a type.
shown
