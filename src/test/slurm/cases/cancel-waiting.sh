#!/bin/bash
# A waiting job is cancelled.
#run id=$(sbatch --parsable --hold job.sh); scancel $id; echo "code $?"
true
