#!/bin/bash
#SBATCH --partition=short --time=5
# A partition that has a limit, and a time within it.
shown
