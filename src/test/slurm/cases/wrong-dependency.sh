#!/bin/bash
# Dependencies that are none.
#run for d in afterok afterok:x whenever:1; do sbatch -d "$d" job.sh; echo "code $?"; done
true
