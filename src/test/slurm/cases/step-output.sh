#!/bin/bash
#SBATCH -n 2 -J named
# Files for the tasks.
srun -o out-%t.txt bash -c 'echo "task $SLURM_PROCID"'
srun -o %x-%s-%t.txt -e err-%t.txt bash -c 'echo out; echo err >&2'
srun -o none echo never
srun -l -o 1 bash -c 'echo "only $SLURM_PROCID"'
