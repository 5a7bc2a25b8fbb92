#!/bin/bash
# More CPUs than there are, and none.
#run sbatch -c 17 job.sh; echo "code $?"
#run sbatch -n 17 job.sh; echo "code $?"
#run sbatch -n 0 job.sh; echo "code $?"
#run sbatch -n x job.sh; echo "code $?"
true
