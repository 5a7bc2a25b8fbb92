#!/bin/bash
# Slurm's ways to write a time: words before or after the day, and dates without a year or a slash.
#run for t in noon-tomorrow fika teatime 010130 01.01.30 01/02/30-8:30 2030-01-03T7:15; do id=$(sbatch --parsable --begin=$t job.sh); scontrol show job $id | grep -o ' EligibleTime=[^ ]*' | sed 's/.*=2030/2030/; s/.*T/T/'; scancel $id; done
true
