#!/bin/bash
#SBATCH --array=3,5-9:2
# The variables of an array's tasks.
shown
