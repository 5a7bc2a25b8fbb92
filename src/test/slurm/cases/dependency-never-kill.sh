#!/bin/bash
# A dependency that can never be, and the job goes.
#run id=$(sbatch --parsable --hold job.sh)
#run sbatch -d afterok:$id --kill-on-invalid-dep=yes --wrap true; scontrol release $id
exit 1
