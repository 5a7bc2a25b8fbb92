#!/bin/bash
# A job that is not there.
#run sbatch -d afterok:999999 job.sh; echo "code $?"
true
