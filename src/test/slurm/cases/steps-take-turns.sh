#!/bin/bash
#SBATCH -n 4 --gres=gpu:2
# Two GPUs, four steps: never more than two at a time.
for i in 1 2 3 4; do
  srun --exclusive -n1 --gres=gpu:1 bash -c 'mkdir lock.$CUDA_VISIBLE_DEVICES || exit 1; sleep 0.3; rmdir lock.$CUDA_VISIBLE_DEVICES' 2>/dev/null &
done
for job in $(jobs -p); do wait $job; echo "code $?"; done
