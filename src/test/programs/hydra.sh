# hydra: a multirun by its submitit launcher, as it comes, with nothing but Slurm's names on PATH.

pypi hydra-core hydra-submitit-launcher || return
program="hydra $(pypi_version hydra-core), launcher $(pypi_version hydra-submitit-launcher)"
fresh sim:4x24G 8

cat >config.yaml <<'X'
lr: 0.1
width: 8
X
cat >app.py <<'X'
import hydra, os

@hydra.main(version_base=None, config_path=".", config_name="config")
def main(config):
    with open(os.path.join(hydra.core.hydra_config.HydraConfig.get().runtime.output_dir, "loss.txt"), "w") as out:
        print(config.lr, config.width, round(config.lr * config.width, 6), os.environ["SLURM_JOB_ID"], file=out)

main()
X
multirun() {
  python app.py -m hydra/launcher=submitit_slurm hydra.sweep.dir=sweep lr=0.1,0.01 width=8,16 >hydra.log 2>&1 || tail -n1 hydra.log
  cut -d' ' -f1-3 sweep/[0-3]/loss.txt | paste -sd';' | tee found.txt
  [ "$(cat found.txt)" = '0.1 8 0.8;0.1 16 1.6;0.01 8 0.08;0.01 16 0.16' ] &&
    [ "$(cut -d' ' -f4 sweep/[0-3]/loss.txt | sort -u | wc -l)" = 4 ]
}
attempt 'python app.py -m hydra/launcher=submitit_slurm lr=… width=…' 'lr, width and their product from four jobs' multirun
