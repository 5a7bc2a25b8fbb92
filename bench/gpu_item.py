"""One item of bench/gpu-map: a short run of molecular dynamics with a small network for a potential.

    gpu_item.py ITEM        computes that item and ends: every item pays for the start of torch
    gpu_item.py --worker    a warm worker of gmap: only the first item does
"""

import sys

import torch

ATOMS = 1000
STEPS = 24  # about 0.1 s on an H200

torch.manual_seed(7)
NET = torch.nn.Sequential(
    torch.nn.Linear(16, 64), torch.nn.SiLU(), torch.nn.Linear(64, 64), torch.nn.SiLU(), torch.nn.Linear(64, 1)
).cuda()
CENTRES = torch.linspace(0.5, 6.0, 16, device="cuda")


def energy_of(places):
    apart = torch.cdist(places, places) + 10 * torch.eye(ATOMS, device="cuda")
    near = torch.stack([torch.exp(-((apart - centre) ** 2)).sum(1) for centre in CENTRES], dim=1)
    return NET(near / ATOMS).sum()


def compute(item):
    torch.manual_seed(int(item))
    places = 10 * torch.rand(ATOMS, 3, device="cuda")
    for _ in range(STEPS):
        places.requires_grad_(True)
        energy = energy_of(places)
        (forces,) = torch.autograd.grad(energy, places)
        places = (places - 1e-3 * forces).detach()
    return {"energy": energy.item()}


if sys.argv[1:] == ["--worker"]:
    import gflow_worker

    gflow_worker.serve(compute)
else:
    print(compute(sys.argv[1]))
