#!/bin/bash
#SBATCH --output=out.txt --open-mode=append
# Added to what is there.
#run echo before >out.txt; sbatch job.sh
echo out
