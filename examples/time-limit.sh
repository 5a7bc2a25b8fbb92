#!/bin/sh
# A job that saves its work when its time is up: gflow sends TERM, and KILL after a grace time (10
# seconds if the configuration says nothing else).
#
# $ gbatch examples/time-limit.sh
# ends: TIMEOUT
#
# GFLOW --time 1s

# The shell acts on a signal only when the program in front has ended: so wait for one behind.
trap 'echo "time is up, saving checkpoint.txt"; date >checkpoint.txt; exit 0' TERM
echo "working"
sleep 600 &
wait
