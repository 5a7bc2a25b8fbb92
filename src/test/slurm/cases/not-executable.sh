#!/bin/bash
# The script need not be executable, and a program in it that is missing is the script's affair.
no-such-program
echo "code $?"
