#!/bin/bash
# What is over of an array stays so; a limit may be written with a blank.
#run id=$(sbatch --parsable -H -o /dev/null --array=1-2 job.sh); scontrol update jobid=$id arraytaskthrottle 2; echo "code $?"
#run scontrol requeue incomplete 999999; echo "code $?"; scancel $id
true
