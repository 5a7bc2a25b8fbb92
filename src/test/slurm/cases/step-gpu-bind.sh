#!/bin/bash
#SBATCH -n 4 --gres=gpu:4
# GPUs bound to tasks, in each way.
for bind in single:1 single:2 per_task:1 map_gpu:3,2,1,0 mask_gpu:0x3,0x3,0xc,0xc none; do
  echo "$bind"
  srun -l --gpu-bind=$bind bash -c 'echo "$CUDA_VISIBLE_DEVICES"' | sort
done
