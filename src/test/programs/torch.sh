# torch: a linear model trained by 2 ranks (DDP, gloo), each on half of the data. The weights are those of one process with all of it.

pypi torch numpy || return
program="torch $(pypi_version torch)"
fresh sim:4x24G 8

# torchrun sets RANK and WORLD_SIZE, srun sets SLURM_PROCID and SLURM_NTASKS; MASTER_ADDR and MASTER_PORT must be there.
cat >ddp.py <<'X'
import os, sys, torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

env = os.environ
rank = int(env.get("RANK", env.get("SLURM_PROCID", 0)))
size = int(env.get("WORLD_SIZE", env.get("SLURM_NTASKS", 1)))
torch.set_num_threads(1)
torch.manual_seed(1)
model, x = torch.nn.Linear(4, 1), torch.randn(64, 4)
y = x @ torch.tensor([[1.0], [-2.0], [3.0], [0.5]]) + 0.25
if size > 1:
    dist.init_process_group("gloo", rank=rank, world_size=size)
    model, x, y = DistributedDataParallel(model), x[rank::size], y[rank::size]
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(30):
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
if rank == 0:
    weights = " ".join("%.4f" % w for p in model.parameters() for w in p.detach().flatten())
    with open(sys.argv[1], "w") as out:
        print(f"{size} ranks, weights {weights}", file=out)
if size > 1:
    dist.destroy_process_group()
X
OMP_NUM_THREADS=1 python ddp.py alone.txt

# as_alone FILE…
as_alone() {
  local file
  for file; do
    [ -s "$file" ] && cat "$file" || echo "no $file"
    [ "$(cat "$file" 2>/dev/null)" = "2 ranks,$(cut -d, -f2 alone.txt)" ] || return 1
  done
}

job torchrun.sh <<'X'
#SBATCH --ntasks=1 --cpus-per-task=2 --gres=gpu:2
torchrun --standalone --nproc-per-node 2 ddp.py torchrun.txt
X
by_torchrun() { finish sbatch torchrun.sh && as_alone torchrun.txt; }
attempt 'sbatch, torchrun --standalone --nproc-per-node 2' 'weights as of one process' by_torchrun

job srun.sh <<'X'
#SBATCH --ntasks-per-node=2 --cpus-per-task=1 --gres=gpu:2
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$((10000 + SLURM_JOB_ID % 50000))
srun python ddp.py srun.txt
X
by_srun() { finish sbatch srun.sh && as_alone srun.txt; }
attempt 'sbatch, srun python, MASTER_PORT from the job id' 'weights as of one process' by_srun

# gflow sets MASTER_ADDR and a free MASTER_PORT for jobs that do not speak Slurm: nothing to write, and no two jobs meet.
job grun.sh <<'X'
grun python ddp.py "$1"
X
by_grun() {
  local a b
  a=$(gbatch -n 2 --gpus 2 grun.sh grun1.txt | grep -o '[0-9]*$')
  b=$(gbatch -n 2 --gpus 2 grun.sh grun2.txt | grep -o '[0-9]*$')
  ended "$a" "$b"
  as_alone grun1.txt grun2.txt
}
attempt 'gbatch -n 2, grun python; two jobs at once, no port written' 'weights as of one process, twice' by_grun

job port.sh <<'X'
#SBATCH --job-name=port --dependency=singleton --ntasks=1 --cpus-per-task=2
torchrun --nproc-per-node 2 --rdzv-backend c10d --rdzv-endpoint localhost:29517 --rdzv-id x ddp.py "$1"
X
job port_srun.sh <<'X'
#SBATCH --job-name=port --dependency=singleton --ntasks=2
MASTER_ADDR=localhost MASTER_PORT=29517 srun python ddp.py "$1"
X
# turns SCRIPT: two jobs with one name and one port, sent at once, run one after the other.
turns() {
  local a b
  a=$(sbatch "$1" "$1.1.txt" | grep -o '[0-9]*$')
  b=$(sbatch "$1" "$1.2.txt" | grep -o '[0-9]*$')
  ended "$a" "$b"
  as_alone "$1.1.txt" "$1.2.txt"
}
attempt 'torchrun, one fixed port, two jobs --dependency=singleton' 'weights as of one process, twice' 'turns port.sh'
attempt 'srun, one fixed port, two jobs --dependency=singleton' 'weights as of one process, twice' 'turns port_srun.sh'
