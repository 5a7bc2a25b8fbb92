#!/bin/bash
# Of a list of partitions all must be there.
#run id=$(sbatch --parsable -W -p local,short -t 5 job.sh); squeue -h -t all -j $id -o %P
#run sbatch -p local,nosuch job.sh; echo "code $?"
true
