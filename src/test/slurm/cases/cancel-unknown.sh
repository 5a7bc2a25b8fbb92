#!/bin/bash
# A job that is not there.
#run scancel 999999; echo "code $?"
