#!/bin/bash
#SBATCH -n 2 -c 3
# CPUs for each task.
shown
