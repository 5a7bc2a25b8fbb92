#!/bin/bash
# scancel asks before each, and with -v it says what it does and that a job is over.
#run id=$(sbatch --parsable -H -J asked job.sh); echo n | scancel -i $id | sed "s/=$id /=ID /"; echo; squeue -h -j $id -o %T
#run echo y | scancel -i -n asked | sed "s/=$id /=ID /"; echo; scontrol show job $id | grep -o 'JobState=[A-Z]*'
#run echo y | scancel -i $id 2>&1 | sed "s/$id/ID/"; scancel -v $id 2>&1 | grep -v select/ | sed "s/$id/ID/"; scancel -Q $id; echo "code $?"
#run scancel -v 999999 2>&1 | grep -v select/; echo "code $?"
true
