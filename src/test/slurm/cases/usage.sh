#!/bin/bash
# The options in brief, and the headings of the help that programs look for.
#run for c in sbatch srun salloc squeue scancel sinfo; do $c --usage | head -1 | cut -d' ' -f1-2; done
#run for c in sbatch srun salloc; do $c --help | grep -oE '^(Parallel run|Constraint|Consumable resources related|GPU scheduling|Help|Other) options:'; done
#run for c in squeue scancel sinfo; do $c --help | grep -o '^Help options'; done
#run scontrol help | grep -o 'Valid <COMMAND> values are:'; scontrol completing; echo "code $?"
#alone
