#!/bin/bash
# One step is cancelled; the script goes on.
#run id=$(sbatch --parsable job.sh); await step; scancel $id.0; echo "code $?"
srun -n1 bash -c 'echo step >step; exec sleep 100' 2>/dev/null
echo "code $?"
