#!/bin/bash
# A signal to the script, by scancel.
#run id=$(sbatch --parsable job.sh); await slurm-$id.out; scancel --batch --signal=USR1 $id
trap 'echo caught; exit 7' USR1
echo begin
sleep 100 &
wait
