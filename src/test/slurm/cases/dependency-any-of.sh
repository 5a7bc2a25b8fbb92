#!/bin/bash
# Any one of several.
#run bad=$(sbatch --parsable --hold --wrap false); good=$(sbatch --parsable --hold --wrap true)
#run sbatch -d "afterok:$bad?afterok:$good" job.sh; scontrol release $bad $good
echo ran
