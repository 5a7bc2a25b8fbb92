#!/bin/bash
# --test-only submits nothing.
#run sbatch --test-only -n 4 job.sh 2>&1 | sed 's/Job [0-9]*/Job N/'; echo "code ${PIPESTATUS[0]}"
#alone
true
