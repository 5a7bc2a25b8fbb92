#!/bin/bash
#SBATCH --no-requeue
# A job that does not want another run.
#run id=$(sbatch --parsable job.sh); await RUNNING $id; scontrol requeue $id; echo "code $?"; touch go
until [ -e go ]; do sleep 0.1; done
