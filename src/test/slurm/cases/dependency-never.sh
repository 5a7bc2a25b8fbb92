#!/bin/bash
# A dependency that can never be.
#run id=$(sbatch --parsable --hold job.sh); next=$(sbatch --parsable -d afterok:$id --wrap true)
#run scontrol release $id; await FAILED $id; sleep 3; squeue -h -j $next -o '%T %r'; scancel $next
exit 1
