#!/bin/bash
#SBATCH --output=a%a.txt
# The index of a job that is no array.
echo out
