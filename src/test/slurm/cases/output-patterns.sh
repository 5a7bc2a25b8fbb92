#!/bin/bash
#SBATCH --job-name=name
#SBATCH --output=%x+%j+%A+%u+%N+%n+%t+%s+%J+%%+.txt
# Patterns in the name of the output.
echo out
echo err >&2
