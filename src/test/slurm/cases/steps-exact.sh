#!/bin/bash
#SBATCH -n 2 --mem-per-cpu=100
# Steps that take only what they ask for run side by side.
for i in 1 2; do
  srun --exact -n1 --mem-per-cpu=100 bash -c 'echo "$SLURM_CPUS_ON_NODE $SLURM_MEM_PER_CPU"; touch here.$SLURM_STEP_ID
    for _ in $(seq 100); do [ $(ls here.* | wc -l) = 2 ] && exit 0; sleep 0.1; done; exit 1' &
done
for job in $(jobs -p); do wait $job; echo "code $?"; done
rm here.*
