#!/bin/bash
#SBATCH -o nowhere/out.txt
# A folder that is not there.
echo out
