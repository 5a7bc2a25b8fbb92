#!/bin/bash
# An interpreter that is not there.
#run printf '#!/no/such/program\ntrue\n' >other.sh; sbatch other.sh; rm other.sh
