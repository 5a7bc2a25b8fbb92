#!/bin/bash
#SBATCH --begin=now+1hour
# A waiting job is held and released, and waits for its time.
#run id=$(sbatch --parsable job.sh); scontrol hold $id; squeue -h -j $id -o '%T %r'
#run scontrol release $id; await PENDING $id; sleep 3; squeue -h -j $id -o '%T %r'; scancel $id
true
