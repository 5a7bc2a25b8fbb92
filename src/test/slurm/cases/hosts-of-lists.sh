#!/bin/bash
# Hosts with several numbers: the last counts fastest, then the first.
#run scontrol show hostnames 'r[0-1]b[2,3]'
#run scontrol show hostnames 'row[0,1]_rack[2-3]_blade[4,05],login' | paste -sd' '
