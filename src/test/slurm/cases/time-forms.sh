#!/bin/bash
# Ways to write a time.
#run for t in 90 90:30 1:30:00 2-1 2-1:30 2-1:30:15 0 unlimited; do sbatch --hold --time=$t job.sh; done
#run scancel -n job.sh -u "$USER"
#alone
true
