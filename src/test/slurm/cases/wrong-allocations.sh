#!/bin/bash
# What srun and salloc refuse, they say as sbatch does.
#run srun -p nosuch true; echo "code $?"; salloc -p nosuch true; echo "code $?"
#run srun -w nosuch true; echo "code $?"; salloc -w nosuch true; echo "code $?"
#run srun --begin=now+2hour --deadline=now+1hour true; echo "code $?"
#run sbatch --begin=now+2hour --deadline=now+1hour job.sh; echo "code $?"
#run srun --deadline=now+1hour --time-min=120 true; echo "code $?"
#run srun --test-only true 2>&1 | sed 's/Job [0-9]* to start at [^ ]*/Job N to start/'
true
