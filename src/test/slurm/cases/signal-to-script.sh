#!/bin/bash
#SBATCH --time=1:02 --signal=B:USR1@60
# A signal before the end, to the script.
trap 'echo caught; exit 0' USR1
echo begin
sleep 150 &
wait
