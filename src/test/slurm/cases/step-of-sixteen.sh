#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=16
#alone
# A script beside the job's script is found without a path; each task has its local id.
#run printf '#!/bin/sh\necho "local $SLURM_LOCALID of $SLURM_NTASKS"\n' >launch.sh; chmod +x launch.sh; sbatch job.sh
srun launch.sh | sort -k2n
