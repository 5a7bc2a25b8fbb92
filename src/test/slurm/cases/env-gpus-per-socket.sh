#!/bin/bash
#SBATCH --gpus-per-socket=2 --sockets-per-node=1
# GPUs for each socket.
#run sbatch job.sh; sbatch --gpus-per-socket=1 job.sh >/dev/null 2>&1; echo "code $?"
echo "$SLURM_GPUS_ON_NODE $CUDA_VISIBLE_DEVICES"
srun -n1 bash -c 'echo $CUDA_VISIBLE_DEVICES'
# The other one shall not find these GPUs free again.
sleep 1
