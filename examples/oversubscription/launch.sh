#!/bin/bash
# One client on its GPU: 0,1,2,3,0,1,…
export CUDA_VISIBLE_DEVICES=$((SLURM_LOCALID % 4))
exec python3 client.py $1 $SLURM_LOCALID
