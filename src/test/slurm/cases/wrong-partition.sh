#!/bin/bash
# A partition that is not there, and more time than one gives.
#run sbatch -p nosuch job.sh; echo "code $?"
#run sbatch -p short -t 60 job.sh; echo "code $?"
true
