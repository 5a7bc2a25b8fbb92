#!/bin/bash
# A code of its own.
exit 3
