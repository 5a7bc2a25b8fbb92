#!/bin/bash
# What -v says of the options of a call.
#run sbatch -vv -t 90 -A lab -J named -O job.sh 2>&1 | grep -vE 'select/|debug:|RLIMIT'
#run SBATCH_DEBUG=3 sbatch -H -t 1 job.sh 2>&1 | grep ' : '; scancel -n job.sh
#run salloc -v -t 1 -J mine true 2>&1 | grep -E ' : |defined'
#run squeue -v 2>/dev/null | grep -E '^(iterate|verbose) '; sinfo -v 2>/dev/null | grep -E '^(iterate|verbose) '
true
#alone
