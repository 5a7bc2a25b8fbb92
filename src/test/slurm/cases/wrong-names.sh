#!/bin/bash
# Partitions and nodes that there are not.
#run sbatch -p nosuch job.sh; echo "code $?"
#run sbatch -w nosuch job.sh; echo "code $?"
#run sbatch -w $(hostname -s) -p local job.sh; echo "code $?"
true
