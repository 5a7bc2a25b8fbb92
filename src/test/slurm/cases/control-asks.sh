#!/bin/bash
# Without a word scontrol reads commands, and !! is the last one again.
#run printf 'ping\n!!\nquit\n' | scontrol | grep -c 'is UP'
#run printf 'nosuch\nexit\n' | scontrol >/dev/null; echo "code $?"
