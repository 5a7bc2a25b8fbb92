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
        time.sleep(0.05)
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
#SBATCH --nodes=1 --ntasks-per-node=1 --gres=gpu:1 --time=0:20 --signal=SIGUSR1@8 --open-mode=append --output=log.txt
echo "turn ${SLURM_RESTART_COUNT:-0}" >>turns.txt
srun python train.py
X
over_limits() {
  local epochs=0 steps=0 batches=0 restarts=0
  finish "$@" train.sh
  [ -s result.txt ] && read -r epochs steps batches restarts <result.txt
  echo "$epochs epochs, $steps steps, $batches batches, $restarts requeues, $(wc -l <turns.txt) turns"
  # 12 epochs of 20 steps; a requeue asked for twice would make more turns than requeues.
  [ "$epochs $steps $batches" = '12 240 240' ] && [ "$restarts" -gt 0 ] && [ "$(wc -l <turns.txt)" = $((restarts + 1)) ] &&
    [ "$(grep -c 'requeing job' log.txt)" = "$restarts" ]
  local right=$?
  rm -rf result.txt turns.txt log.txt checkpoints .slurm hpc_ckpt*
  return $right
}
attempt 'sbatch, --time, --signal=SIGUSR1@…, srun python' '12 epochs, 240 steps; each warning asks for one requeue' 'over_limits sbatch'
attempt 'the same with 2 ranks, ddp' '12 epochs, 240 steps; each warning asks for one requeue' 'over_limits sbatch --ntasks-per-node=2'
attempt 'the same script by gbatch' '12 epochs, 240 steps; each warning asks for one requeue' 'over_limits gbatch'
