#!/bin/bash
#SBATCH -n 2
# One task fails, and the others end.
srun --kill-on-bad-exit=1 bash -c '[ $SLURM_PROCID = 0 ] && exit 3; sleep 60' 2>/dev/null; echo "code $?"
