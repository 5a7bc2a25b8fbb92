# optuna: four workers of one study, as an array. Each trial is done once, and the best is near the minimum.

pypi optuna || return
program="optuna $(pypi_version optuna)"
fresh sim:4x24G 8

cat >study.py <<'X'
import optuna, sys
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend

optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(study_name="x", storage=JournalStorage(JournalFileBackend("study.log")), load_if_exists=True,
                            sampler=optuna.samplers.QMCSampler(seed=1))
if sys.argv[1:] == ["show"]:
    done = [t for t in study.trials if t.state.name == "COMPLETE"]
    print(len(done), len({t.number for t in done}), len({t.user_attrs["worker"] for t in done}), round(study.best_params["x"], 2))
else:
    def loss(trial):
        trial.set_user_attr("worker", sys.argv[1])
        return (trial.suggest_float("x", -10, 10) - 2) ** 2
    study.optimize(loss, n_trials=25)
X
workers() {
  local done numbers who best
  python study.py show >/dev/null 2>&1
  finish gbatch --gpus 1 --array 0-3 --wrap 'python study.py "$GFLOW_ARRAY_TASK_ID"'
  read -r done numbers who best <<<"$(python study.py show 2>/dev/null)"
  echo "$done trials, $numbers numbers, $who workers, best x $best"
  [ "$done $numbers $who" = '100 100 4' ] && holds "$best > 1.5 && $best < 2.5"
}
attempt "gbatch --gpus 1 --array 0-3 --wrap 'python study.py …'" '100 trials by 4 workers, none twice, x near 2' workers
