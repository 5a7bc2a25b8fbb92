#!/bin/bash
#SBATCH -n 2
# Steps that run, as squeue shows them.
srun --exact -n1 -J first bash -c "echo 1 >running-step; exec sleep 20" 2>/dev/null &
await running-step
id=$SLURM_JOB_ID
squeue -s -j $id -o '%i|%j|%P|%u|%N|%A'
squeue -h -s -j $id -o '%i %j'
squeue --steps -j $id | head -n 1
squeue -h -s $id.0 -o %i
scancel $id.0
wait
