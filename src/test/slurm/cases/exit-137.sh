#!/bin/bash
# A code that shells use for a signal.
exit 137
