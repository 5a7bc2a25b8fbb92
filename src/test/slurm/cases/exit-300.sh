#!/bin/bash
# A code beyond 255.
exit 300
