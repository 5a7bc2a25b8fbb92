#!/bin/bash
# None of a kind that is not there.
#run sbatch -W --gres=craynetwork:0 job.sh; echo "code $?"
srun --gres=craynetwork:0 echo step
