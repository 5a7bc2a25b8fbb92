#!/bin/bash
#SBATCH --time=0:02
# A script that catches the end and goes cleanly.
trap 'echo caught; exit 0' TERM
echo begin
sleep 150 &
wait
