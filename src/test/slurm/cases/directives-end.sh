#!/bin/bash
#SBATCH --ntasks=2

# Lines after the first command are not read.
echo "$SLURM_NTASKS"
#SBATCH --ntasks=3
