"""What the checks of sharing.sh compute with torch, on the one GPU that they have.

client.py see             says what it finds
client.py hold GIB FILE   has so much memory until there is a FILE
client.py take GIB        has it for a moment
client.py work GIB FILE   computes too, for half of the time
"""

import os
import sys
import time

import torch

PATIENCE = 120


def waits(file):
    return not os.path.exists(file) and time.monotonic() < PATIENCE + BEGAN


BEGAN = time.monotonic()
what, *words = sys.argv[1:]
print("torch sees", torch.cuda.device_count(), torch.cuda.is_available(), flush=True)
if what != "see":
    held = torch.empty(int(words[0]) << 30, dtype=torch.uint8, device="cuda")
    torch.cuda.synchronize()
    print("holding", flush=True)
if what == "hold":
    while waits(words[1]):
        time.sleep(0.1)
if what == "work":
    square = torch.rand(4096, 4096, dtype=torch.float16, device="cuda")
    while waits(words[1]):
        end = time.monotonic() + 0.1
        while time.monotonic() < end:
            square @ square
            torch.cuda.synchronize()
        time.sleep(0.1)
