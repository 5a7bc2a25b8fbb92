#!/bin/bash
# Times that are none.
#run for t in abc 5m 1:2:3:4; do sbatch --time=$t job.sh; echo "$t code $?"; done
true
