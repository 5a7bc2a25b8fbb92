#!/bin/bash
# Only jobs in a state are cancelled.
#run one=$(sbatch --parsable -J cancel-state --hold job.sh); two=$(sbatch --parsable -J cancel-state job.sh)
#run await RUNNING $two; scancel --state=PENDING --name=cancel-state; sleep 1; squeue -h -j $one,$two -o '%T'; touch go
until [ -e go ]; do sleep 0.1; done
