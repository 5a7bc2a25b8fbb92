#!/bin/bash
# One variable of the caller, and one that is set here.
#run FOO=1 BAR=2 sbatch --export=FOO,BAZ=3 job.sh
echo "foo=${FOO-unset} bar=${BAR-unset} baz=${BAZ-unset}"
