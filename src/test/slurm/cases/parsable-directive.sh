#!/bin/bash
#SBATCH --parsable
# --parsable as a line of the script.
true
