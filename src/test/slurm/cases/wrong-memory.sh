#!/bin/bash
# Memory that is none, too much of it, and two kinds of it.
#run sbatch --mem=much job.sh; echo "code $?"
#run sbatch --mem=900G job.sh; echo "code $?"
#run sbatch --mem=1G --mem-per-cpu=1G job.sh; echo "code $?"
true
