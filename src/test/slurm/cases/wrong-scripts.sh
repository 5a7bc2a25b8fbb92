#!/bin/bash
# Scripts that are none.
#run echo 'echo hello' >bare.sh; sbatch bare.sh; echo "code $?"
#run printf '#!/bin/sh\r\ntrue\r\n' >dos.sh; sbatch dos.sh; echo "code $?"
#run : >empty.sh; sbatch empty.sh; echo "code $?"
#run sbatch missing.sh; echo "code $?"; rm *.sh
