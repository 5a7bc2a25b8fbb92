#!/bin/bash
# Quotes guard commas, and stay; blanks and empty parts do no harm.
#run sbatch --export="A=\"'q'\",B={\"k\":1}" job.sh
#run sbatch --export="A='x,y',,B=3," job.sh
#run sbatch --export="A=1, B=2" job.sh; sbatch --export=A.B=1,A=2 job.sh
echo "A=[$A] B=[$B]"; env | grep '^A\.B='
