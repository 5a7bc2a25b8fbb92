#!/bin/bash
#SBATCH --output=out.txt
# Without --open-mode what was there is gone.
#run echo before >out.txt; sbatch job.sh
echo out
