#!/bin/bash
# Signals, times to begin and modes that are none.
#run sbatch --signal=NOPE@60 job.sh; echo "code $?"
#run sbatch --begin=whenever job.sh; echo "code $?"
#run sbatch --open-mode=maybe job.sh; echo "code $?"
true
