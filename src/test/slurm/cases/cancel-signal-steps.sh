#!/bin/bash
# A signal without --batch is for the steps.
#run id=$(sbatch --parsable job.sh); await ready; scancel -s USR1 $id
trap 'echo script' USR1
srun -n1 bash -c 'trap "echo step; exit 6" USR1; echo 1 >ready; while :; do sleep 0.1; done' 2>/dev/null
echo "code $?"
