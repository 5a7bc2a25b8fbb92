#!/bin/bash
#SBATCH --mem-per-cpu=200 --cpus-per-task=2
# Memory for each CPU.
shown
