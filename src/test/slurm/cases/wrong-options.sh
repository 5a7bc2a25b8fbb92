#!/bin/bash
# Options that are not there.
#run sbatch --bogus=3 job.sh; echo "code $?"
#run sbatch -Y job.sh; echo "code $?"
#run printf '#!/bin/sh\n#SBATCH --bogus\n' >other.sh; sbatch other.sh; echo "code $?"; rm other.sh
true
