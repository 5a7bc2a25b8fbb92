#!/bin/bash
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=4
#SBATCH --gres=gpu:4
#SBATCH --gpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --mem-per-cpu=1443
#alone
# Several GPU programs in one job, as a guide for users writes it.
program='echo "$CUDA_VISIBLE_DEVICES $SLURM_CPUS_ON_NODE $SLURM_NTASKS $SLURM_MEM_PER_CPU"; sleep 0.5'
for i in 1 2 3 4; do
  srun --exclusive --gres=gpu:1 --ntasks=1 --cpus-per-task=4 --gpus-per-task=1 --mem-per-cpu=1443 bash -c "$program" >out.$i &
done
wait
cat out.* | sort
rm out.*
