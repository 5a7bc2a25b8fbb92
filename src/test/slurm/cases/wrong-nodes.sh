#!/bin/bash
# More nodes than there are.
#run sbatch -N 2 job.sh; echo "code $?"
true
