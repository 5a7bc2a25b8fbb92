"""A client for try-mps.sh: energy and forces of a small model, again and again until a file is there.

usage: mps_client.py END_FILE RATE_FILE [SECONDS]

It writes "PID RATE" into RATE_FILE about every second, RATE in evaluations per second, and ends with 0
when END_FILE is there, or after SECONDS. What CUDA complains about ends it with a traceback.
"""

import os
import sys
import time

import torch

end, out = sys.argv[1], sys.argv[2]
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 600.0
torch.manual_seed(0)
atoms = torch.randn(1000, 64, device="cuda", requires_grad=True)
layers = torch.nn.Sequential(
    *[m for _ in range(6) for m in (torch.nn.Linear(64, 64), torch.nn.SiLU())], torch.nn.Linear(64, 1)
).cuda()


def evaluate():
    energy = layers(atoms).sum()
    (forces,) = torch.autograd.grad(energy, atoms)
    return float(forces.abs().max())


for _ in range(20):
    evaluate()
begin = time.monotonic()
while not os.path.exists(end) and time.monotonic() - begin < seconds:
    start, done = time.monotonic(), 0
    while time.monotonic() - start < 1.0:
        evaluate()
        done += 1
    with open(out + ".new", "w") as f:
        f.write(f"{os.getpid()} {done / (time.monotonic() - start):.0f}\n")
    os.replace(out + ".new", out)
