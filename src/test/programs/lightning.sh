# Lightning: a training longer than its time limit. Its SLURM plugin saves at the signal, asks for another turn, and goes on from there.

pypi torch numpy lightning || return
program="Lightning $(pypi_version lightning)"
fresh sim:4x24G 8

# The model counts the batches that it was trained on; the count is saved with it. Lightning must agree at the end.
cat >train.py <<'X'
import os, signal, time, torch, lightning
from lightning.pytorch.plugins.environments import SLURMEnvironment

class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
        self.register_buffer("batches", torch.zeros((), dtype=torch.long))

    def training_step(self, batch, index):
        time.sleep(0.15)
        self.batches += 1
        return self.layer(batch[0]).pow(2).mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)

torch.manual_seed(1)
torch.set_num_threads(1)
# 20 batches for each rank.
data = torch.utils.data.TensorDataset(torch.randn(80 * int(os.environ["SLURM_NTASKS"]), 4))
data = torch.utils.data.DataLoader(data, batch_size=4)
model = Model()
trainer = lightning.Trainer(
    max_epochs=12, accelerator="cpu", devices=int(os.environ["SLURM_NTASKS"]), strategy="ddp", logger=False, enable_progress_bar=False, default_root_dir=".",
    plugins=[SLURMEnvironment(auto_requeue=True, requeue_signal=signal.SIGUSR1)])
trainer.fit(model, data)
if trainer.is_global_zero:
    with open("result.txt", "w") as out:
        print(trainer.current_epoch, trainer.global_step, int(model.batches), os.environ.get("SLURM_RESTART_COUNT", 0), file=out)
X
job train.sh <<'X'
#SBATCH --nodes=1 --ntasks-per-node=1 --gres=gpu:1 --time=0:40 --signal=SIGUSR1@10 --open-mode=append --output=log.txt
echo "turn ${SLURM_RESTART_COUNT:-0}" >>turns.txt
srun python train.py
X
# over_limits FOLDER COMMAND…: 12 epochs of 20 steps. A warning that came twice would ask for more requeues than there are turns.
over_limits() {
  local epochs=0 steps=0 batches=0 restarts=0 asked turns
  mkdir "$1" && cp train.py train.sh "$1" && cd "$1" || return
  finish "${@:2}" train.sh
  [ -s result.txt ] && read -r epochs steps batches restarts <result.txt
  asked=$(grep -c 'requeing job' log.txt) turns=$(wc -l <turns.txt)
  echo "$epochs epochs, $steps steps, $batches batches, $turns turns, $asked requeues asked for"
  [ "$epochs $steps $batches" = '12 240 240' ] && [ "$asked" -gt 0 ] && [ "$turns $restarts" = "$((asked + 1)) $asked" ]
}
what='12 epochs, 240 steps; each warning asks for one requeue'
attempt 'sbatch, --time, --signal=SIGUSR1@…, srun python' "$what" 'over_limits one sbatch'
attempt 'the same with 2 ranks, ddp' "$what" 'over_limits two sbatch --ntasks-per-node=2'
attempt 'the same script by gbatch' "$what" 'over_limits gbatch gbatch'
