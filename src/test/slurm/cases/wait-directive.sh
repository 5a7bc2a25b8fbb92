#!/bin/bash
#SBATCH --wait
# --wait as a line of the script.
#run sbatch job.sh; echo "code $?"
exit 4
