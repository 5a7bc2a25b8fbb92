#!/bin/bash
# A script that asks for nothing.
shown
