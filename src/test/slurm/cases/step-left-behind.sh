#!/bin/bash
#SBATCH -n 2
# A step in the background ends with its script.
srun -n1 --exact bash -c 'echo 1 >ready; sleep 30; echo never >late' 2>/dev/null &
await ready
echo over
