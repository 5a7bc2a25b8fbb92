#!/bin/bash
#SBATCH -n 2
# The number of the task before each line, also of what it says on stderr.
srun --label bash -c 'echo out; echo err >&2' 2>&1 | sort
