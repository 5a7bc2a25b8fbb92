#!/bin/bash
# A script that ends itself politely.
kill -TERM $$
