#!/bin/bash
#SBATCH -n 1 --gres=gpu:1
# Steps that share everything.
for i in 1 2 3; do
  srun --overlap -n1 bash -c 'touch here.$SLURM_STEP_ID
    for _ in $(seq 100); do [ $(ls here.* | wc -l) = 3 ] && exit 0; sleep 0.1; done; exit 1' &
done
for job in $(jobs -p); do wait $job; echo "code $?"; done
rm here.*
