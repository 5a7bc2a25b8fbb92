#!/bin/bash
#SBATCH -n 3 -c 2
# The environment of a step of several tasks.
srun -l shown | LC_ALL=C sort -s -t: -k1,1n
