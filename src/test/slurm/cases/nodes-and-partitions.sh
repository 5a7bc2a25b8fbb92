#!/bin/bash
# The machine as sinfo shows it.
#run sinfo -o '%P|%a|%l|%D|%c|%m|%G|%N'
#run sinfo -h -N -o '%N %P %c'
#run sinfo -h -p short -o '%P %l'
#run scontrol show partition short -o | tr ' ' '\n' | grep -E '^(PartitionName|MaxTime|Default|State|TotalCPUs)='
#run scontrol show partition nosuch; echo "code $?"
#run scontrol show hostnames "$(hostname -s)"
#alone
