#!/bin/bash
#SBATCH --exclusive
#alone
# The whole machine.
shown
