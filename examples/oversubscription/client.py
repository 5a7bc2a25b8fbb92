"""A client: evaluates what the server sends. A true one would have a model on its GPU.

python client.py SOCKET BEAD
"""
import os
import socket
import sys
import time

path, number = sys.argv[1], sys.argv[2]
server = socket.socket(socket.AF_UNIX)
server.connect(path)
stream = server.makefile("rw")
evaluations = 0
print(f"client {number} on GPU {os.environ['CUDA_VISIBLE_DEVICES']}", flush=True)
for line in stream:
    if line == "EXIT\n":
        print(f"client {number} did {evaluations} evaluations", flush=True)
        sys.exit(0)
    time.sleep(0.001)
    evaluations += 1
    stream.write(line)
    stream.flush()
sys.exit(f"client {number}: the server is gone")
