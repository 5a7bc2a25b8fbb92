#!/bin/bash
#SBATCH -n 2
# Labels stand in the files of the output too.
srun -l -o one.txt echo hi
srun -l -o of-%t.txt -e err-%t.txt bash -c 'echo out; echo err >&2'
srun -n1 -l -o alone.txt echo hi
sort -o one.txt one.txt
