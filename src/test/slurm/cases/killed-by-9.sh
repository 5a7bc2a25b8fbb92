#!/bin/bash
# A script that kills itself.
kill -9 $$
