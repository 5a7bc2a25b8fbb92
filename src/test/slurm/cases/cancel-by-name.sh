#!/bin/bash
# Jobs are cancelled by name.
#run sbatch --hold -J cancel-by-name job.sh; sbatch --hold -J cancel-by-name job.sh
#run scancel --name=cancel-by-name; echo "code $?"
true
