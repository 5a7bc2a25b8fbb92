#!/bin/bash
#SBATCH -n 2
# Options of srun that mean nothing on one node are taken.
try() { srun "$@" echo hi 2>&1 | grep -v "cpu binding"; echo "${PIPESTATUS[0]} $*"; }
try --wait=60
try -W0
try --cpu_bind=none
try -r0 -n1
try -E -X
try --accel-bind=g
try -T4 --compress
try --compress=lz4 --send-libs=no
try --resv-ports --msg-timeout=5
try --quit-on-interrupt --whole
try --uid=$(id -u) --gid=$(id -g)
try -K1 --tasks-per-node=2
