#!/bin/bash
#SBATCH -J only-one -d singleton
# One of a name at a time.
#run sbatch -J only-one --wrap 'until [ -e go ]; do sleep 0.1; done; echo one >>order'
#run id=$(sbatch --parsable job.sh); sleep 3; squeue -h -j $id -o '%T %r'; touch go
echo two >>order
