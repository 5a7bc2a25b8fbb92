#!/bin/bash
#SBATCH -n 3
# Programs by task.
printf '0 echo first %%t\n1-2 echo other %%t %%o\n' >programs
srun -l --multi-prog programs | sort
rm programs
