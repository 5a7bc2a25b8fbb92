#!/bin/bash
# Ways to write memory.
#run for m in 100 2G 2g 1GB 1500K 0; do sbatch --hold --mem=$m job.sh; done
#run scancel -n job.sh -u "$USER"
#alone
true
