#!/bin/sh
# An array: the same script once for each index, at most two tasks at a time.
#
# $ gbatch examples/array.sh
#
# GFLOW --array 0-5%2
# GFLOW --gpus 1
# GFLOW --time 10

echo "task $GFLOW_ARRAY_TASK_ID of $GFLOW_ARRAY_TASK_COUNT on GPU $CUDA_VISIBLE_DEVICES"
