#!/bin/bash
#SBATCH --begin=now+1hour
# Not before its time.
#run id=$(sbatch --parsable job.sh); sleep 3; squeue -h -j $id -o '%T %r'; scancel $id
true
