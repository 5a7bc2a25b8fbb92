#!/bin/bash
# The last command decides.
false
true
