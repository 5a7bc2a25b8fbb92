#!/bin/bash
#SBATCH --time=0:02
# The time limit ends the script and what it started.
echo begin
sleep 150
echo never
