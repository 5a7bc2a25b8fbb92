#!/bin/bash
# Arguments, folder, stdin.
#run sbatch job.sh one "two words"
echo "$# $1 $2"
pwd
readlink /proc/self/fd/0
