#!/bin/sh
# A GPU job that says itself what it needs. The lines that begin with "# GFLOW" are options of
# gbatch; what stands on the command line goes before them.
#
# $ gbatch examples/gpu-job.sh
# $ gbatch --gpus 2 --name bigger examples/gpu-job.sh
#
# GFLOW --gpus 1
# GFLOW --time 10
# GFLOW --name gpu-job
# GFLOW --priority 20

echo "job $GFLOW_JOB_ID ($GFLOW_JOB_NAME) has GPU $CUDA_VISIBLE_DEVICES"
echo "its own scratch folder, removed at the end, is $TMPDIR"
