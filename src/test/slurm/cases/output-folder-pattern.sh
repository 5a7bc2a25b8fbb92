#!/bin/bash
#SBATCH -o logs/%j/out.txt -e errors/%x-%j/err.txt
# The folder of an output can be there only when the number is known.
#run id=$(sbatch --hold --parsable job.sh); mkdir -p logs/$id errors/job.sh-$id; scontrol release $id
echo out
echo err >&2
