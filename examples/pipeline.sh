#!/bin/sh
# A chain of jobs: the GPU is taken only for the step that needs it. This is not a job itself; it
# submits three, and a fourth that runs only if the training fails (so gflow cancels it).
#
# $ sh examples/pipeline.sh
# ends: COMPLETED CANCELLED
set -eu

prepare=$(gbatch --parsable --name prepare --time 5 --wrap 'echo "1000 images"')
train=$(gbatch --parsable --name train --gpus 1 --time 10 --depends-on "$prepare" \
  --wrap 'echo "trained on GPU $CUDA_VISIBLE_DEVICES"')
gbatch --name evaluate --time 5 --depends-on "$train" --wrap 'echo "accuracy 0.97"'
gbatch --name alarm --time 5 --dependency "afternotok:$train" --wrap 'echo "training failed"'
