#!/bin/bash
#SBATCH -n 1
# The environment of a step of one task.
srun shown
