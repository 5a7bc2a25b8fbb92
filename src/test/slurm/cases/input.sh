#!/bin/bash
#SBATCH --input=in.txt
# Stdin from a file.
#run echo hello >in.txt; sbatch job.sh
cat
