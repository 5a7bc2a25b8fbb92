#!/bin/bash
#SBATCH -n 3
# The highest code of the tasks; 128 and the signal.
srun bash -c 'exit $SLURM_PROCID' 2>/dev/null; echo "code $?"
srun -n1 bash -c 'kill -9 $$' 2>/dev/null; echo "code $?"
srun -n1 bash -c 'kill -TERM $$' 2>/dev/null; echo "code $?"
srun -n1 true; echo "code $?"
