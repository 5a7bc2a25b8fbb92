#!/bin/bash
# Jobs by their states and fields.
#run id=$(sbatch --parsable job.sh); held=$(sbatch --parsable --hold -n 3 job.sh); await RUNNING $id
#run squeue -h -j $id,$held -t PD -o '%i %t %C'; squeue -h -j $id,$held -t R -o '%i %t %N'
#run squeue -h -j $id,$held -t all -o '%t' | sort; squeue -h -j $id,$held -S -i -o '%i'
#run squeue -j $held; scancel $held; touch go; await COMPLETED $id; squeue -h -j $id -t CD -o '%T'
until [ -e go ]; do sleep 0.1; done
