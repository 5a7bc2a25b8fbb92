#!/bin/sh
# A job that fails now and then: it keeps its number and its log, and is tried again up to three
# times.
#
# $ gbatch examples/retries.sh
#
# GFLOW --retries 3
# GFLOW --time 5

echo "try $GFLOW_RESTART_COUNT"
[ "$GFLOW_RESTART_COUNT" -ge 2 ] || exit 1
echo "the third try works"
