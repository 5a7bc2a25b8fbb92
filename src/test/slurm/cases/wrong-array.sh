#!/bin/bash
# Arrays that are none.
#run for a in x 5-1 1-3:0; do sbatch --array="$a" job.sh; echo "code $?"; done
true
