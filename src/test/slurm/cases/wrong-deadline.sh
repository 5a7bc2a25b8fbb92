#!/bin/bash
# A deadline that cannot be met is refused.
#run sbatch --deadline=now+1hour -t 30 job.sh; echo "code $?"
#run sbatch --deadline=2020-01-01 -t 5 job.sh; echo "code $?"
#run sbatch --deadline=whenever -t 5 job.sh; echo "code $?"
#run sbatch -t 5 --time-min=10 job.sh; echo "code $?"
#run sbatch -t 5 --time-min=never job.sh; echo "code $?"
#run sbatch --deadline=now+1hour -t 90 job.sh; echo "code $?"
true
