#!/bin/bash
# A running job that does not hear TERM is cancelled.
#run id=$(sbatch --parsable job.sh); await slurm-$id.out; scancel $id
trap '' TERM
echo begin
sleep 100
