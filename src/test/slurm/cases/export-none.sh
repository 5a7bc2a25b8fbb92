#!/bin/bash
# Nothing of the caller's environment.
#run FOO=1 sbatch --export=NONE job.sh
echo "foo=${FOO-unset}"
shown
