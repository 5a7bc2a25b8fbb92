#!/bin/bash
# A job without a GPU sees none, also if its caller saw one.
#run CUDA_VISIBLE_DEVICES=7 sbatch job.sh
echo "devices=${CUDA_VISIBLE_DEVICES-}"
