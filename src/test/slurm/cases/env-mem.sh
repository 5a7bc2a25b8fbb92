#!/bin/bash
#SBATCH --mem=2G
# Memory of the node.
shown
