#!/bin/bash
# The number alone.
#run id=$(sbatch --parsable job.sh); echo "id $id"
true
