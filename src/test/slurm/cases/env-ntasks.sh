#!/bin/bash
#SBATCH --ntasks=4
# Tasks: SLURM_NTASKS is there only if it was asked for.
shown
