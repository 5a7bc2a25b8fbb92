#!/bin/bash
#SBATCH -o out.txt -e err.txt
# Stderr in a file of its own.
echo out
echo err >&2
