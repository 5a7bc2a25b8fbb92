#!/bin/bash
# A running job is cancelled.
#run id=$(sbatch --parsable job.sh); await slurm-$id.out; scancel $id; echo "code $?"
echo begin
sleep 100
