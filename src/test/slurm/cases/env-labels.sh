#!/bin/bash
#SBATCH -J a-name --comment=note --account=physics --nice=5
# A name, and labels without a meaning here.
shown
