#!/bin/bash
# Nothing of the caller's environment.
#run FOO=1 sbatch --export=NONE job.sh "$(command -v shown)"
echo "foo=${FOO-unset}"
"$1"
