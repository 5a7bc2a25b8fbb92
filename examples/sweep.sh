#!/bin/sh
# A sweep: one task for each combination of the parameters, here 2 x 3. A task finds its own values
# in the environment.
#
# $ gbatch examples/sweep.sh
# $ gbatch --param lr=0.1,0.01 --wrap 'echo "the same in one line: {lr}"'
#
# GFLOW --param lr=0.1,0.01
# GFLOW --param seed=1:3
# GFLOW --gpus 1
# GFLOW --time 10

echo "training with lr=$lr seed=$seed on GPU $CUDA_VISIBLE_DEVICES"
