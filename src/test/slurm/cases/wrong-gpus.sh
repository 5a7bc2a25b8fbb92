#!/bin/bash
# GPUs that are not there.
#run for g in gpu:5 tpu:1 gpu:h100:1 gpu:x:y:z; do sbatch --gres=$g job.sh; echo "$g code $?"; done
#run sbatch --gpus=9 job.sh; echo "code $?"
#run sbatch --gpus-per-task=1 job.sh; echo "code $?"
true
