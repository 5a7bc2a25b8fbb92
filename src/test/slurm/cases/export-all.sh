#!/bin/bash
# All variables of the caller, and one more.
#run FOO=1 sbatch --export=ALL,BAZ=3 job.sh
echo "foo=${FOO-unset} baz=${BAZ-unset}"
