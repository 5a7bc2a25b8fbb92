#!/bin/bash
# The user's number, and the seldom columns of squeue and sinfo.
#run id=$(sbatch --parsable -H job.sh); squeue -h -j $id -o %U | grep -cx $(id -u); squeue -h -j $id -o %G | grep -cx $(id -g)
#run squeue -j $id -o '%I|%J|%O|%X|%d'; scancel $id
#run sinfo -h -p local -o '%r|%p|%I|%M|%B|%S|%H|%u'; sinfo -R; sinfo -l | sed -n 2p
#run squeue -w nosuch; echo "code $?"
#alone
