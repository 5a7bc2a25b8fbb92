#!/bin/bash
# A server and 32 clients on 4 GPUs, as on a cluster.
#SBATCH --job-name=pimd
#SBATCH --nodes=1
#SBATCH --gres=gpu:4
#SBATCH --ntasks-per-node=32
#SBATCH --overcommit
#SBATCH --time=01:00:00

socket=${TMPDIR:-/tmp}/ipi_$SLURM_JOB_ID
python3 server.py $socket 20 32 &
server=$!
gflow wait-for --pid $server unix:$socket || exit 1
srun ./launch.sh $socket
wait $server
