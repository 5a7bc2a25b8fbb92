#!/bin/bash
#SBATCH --ntasks-per-node=4
# Tasks on each node, where there is one.
shown
