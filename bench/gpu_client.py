"""A client of bench/gpu-clients: evaluates a small network of 1,000 atoms, energy and forces, until it is ended.

Twice a second it prints its rate of evaluations and how many it has made, with the time.
"""

import sys
import time

import torch

ATOMS = 1000
PAUSE = 0.5

torch.manual_seed(7)
NET = torch.nn.Sequential(
    torch.nn.Linear(16, 64), torch.nn.SiLU(), torch.nn.Linear(64, 64), torch.nn.SiLU(), torch.nn.Linear(64, 1)
).cuda()
CENTRES = torch.linspace(0.5, 6.0, 16, device="cuda")


def forces(places):
    places.requires_grad_(True)
    apart = torch.cdist(places, places) + 10 * torch.eye(ATOMS, device="cuda")
    near = torch.stack([torch.exp(-((apart - centre) ** 2)).sum(1) for centre in CENTRES], dim=1)
    energy = NET(near / ATOMS).sum()
    return torch.autograd.grad(energy, places)[0]


places = 10 * torch.rand(ATOMS, 3, device="cuda")
total = 0
before, counted = time.time(), 0
while True:
    places = (places - 1e-3 * forces(places)).detach()
    total += 1
    if total % 8 == 0:
        torch.cuda.synchronize()
        now = time.time()
        if now - before >= PAUSE:
            print(f"rate {(total - counted) / (now - before):.1f} /s total {total} at {now:.3f}", flush=True)
            before, counted = now, total
    if sys.argv[1:] == ["once"] and total == 8:
        break
