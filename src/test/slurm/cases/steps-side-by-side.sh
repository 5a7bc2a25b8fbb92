#!/bin/bash
#SBATCH -n 4 --gres=gpu:4
# Four steps at the same time, each with a GPU of its own.
for i in 1 2 3 4; do
  srun --exclusive -n1 --gres=gpu:1 bash -c 'echo "$CUDA_VISIBLE_DEVICES $SLURM_CPUS_ON_NODE"; touch here.$SLURM_STEP_ID
    for _ in $(seq 100); do [ $(ls here.* | wc -l) = 4 ] && exit 0; sleep 0.1; done; exit 1' >out.$i &
done
wait -n; echo "code $?"; wait
cat out.* | sort
rm out.* here.*
