#!/bin/bash
#SBATCH --time=5
#SBATCH --time=6
# The later of two lines wins.
true
