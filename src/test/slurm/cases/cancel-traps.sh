#!/bin/bash
# Who hears the end of a cancelled job: the script and its step.
#run id=$(sbatch --parsable job.sh); await ready; scancel $id
trap 'echo script >heard.script; exit 0' TERM
srun -n1 bash -c 'trap "echo step >heard.step; exit 0" TERM; echo 1 >ready; while :; do sleep 0.1; done' 2>/dev/null &
wait
wait
