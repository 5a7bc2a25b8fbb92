#!/bin/bash
# A signal for a job that is over is an error, its end is not.
#run id=$(sbatch --parsable -W job.sh); scancel -s USR1 $id; echo "code $?"; scancel $id; echo "code $?"
#run scancel -Q -s INT $id; echo "code $?"; scancel -b $id; echo "code $?"; scancel -s INT $id.0; echo "code $?"
true
