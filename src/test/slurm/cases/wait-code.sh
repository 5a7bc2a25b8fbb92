#!/bin/bash
# sbatch --wait ends with the job's code.
#run sbatch --wait job.sh; echo "code $?"
exit 3
