#!/bin/bash
#SBATCH -J named -n 2 --time=1:00:00 --gres=gpu:1 --comment=note
# What squeue shows of a waiting job.
#run id=$(sbatch --parsable --hold job.sh)
#run squeue -j $id -o '%i|%P|%j|%t|%T|%M|%D|%R|%C|%l|%r|%Q|%k|%b|%u|%y|%E|%h'
#run squeue -h -j $id -O 'JobID:10,Name:10,State:10,NumCPUs:6,NumTasks:6,tres-per-node:15'
#run scancel $id
true
