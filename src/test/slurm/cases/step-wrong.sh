#!/bin/bash
#SBATCH -n 1
# Options of a step that are none.
#run id=$(sbatch --parsable job.sh); await COMPLETED $id; cat slurm-$id.out >&2; rm slurm-$id.out
srun --bogus true; echo "code $?"
srun -n x true; echo "code $?"
srun --mem=much true; echo "code $?"
srun --time=soon true; echo "code $?"
srun; echo "code $?"
