#!/bin/bash
#SBATCH -o logs/%j/out.txt -e errors/%x-%j/err.txt
# A folder with a pattern in its name, which nobody has made.
echo out
echo err >&2
