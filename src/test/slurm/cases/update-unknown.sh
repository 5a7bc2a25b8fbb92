#!/bin/bash
# Commands for a job that is not there.
#run scontrol update JobId=999999 TimeLimit=7; echo "code $?"
#run scontrol hold 999999; echo "code $?"
#run scontrol show job 999999; echo "code $?"
#run squeue -h -j 999999; echo "code $?"
