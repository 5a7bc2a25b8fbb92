#!/bin/bash
# What an unset variable leaves behind is taken as not given, where it can be.
#run for o in account qos dependency exclude reservation constraint comment licenses wckey mail-user export; do sbatch --$o= job.sh | sed "s/^/$o: /"; done
#run for o in partition mail-type mem time ntasks begin signal cpus-per-task; do sbatch --hold --$o= job.sh 2>&1 | grep -c Submitted | sed "s/^/$o: /"; done
true
