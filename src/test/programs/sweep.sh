# A sweep: one array with a task for each combination; the best one is found by its values, in gqueue and in gjob.

pypi numpy || return
program="a sweep, numpy $(pypi_version numpy)"
fresh sim:4x24G 8

cat >train.py <<'X'
import sys
import numpy as np

lr, width = float(sys.argv[1]), int(sys.argv[2])
rng = np.random.default_rng(1)
x = rng.normal(size=(64, width))
y = x @ np.arange(width)
w = np.zeros(width)
for _ in range(50):
    w -= lr * 2 / len(x) * x.T @ (x @ w - y)
print("loss %.8g" % np.mean((x @ w - y) ** 2))
X
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
sweep() {
  local index loss best least want values row
  finish gbatch --gpus 1 --param lr=0.001,0.01,0.1 --param width=2,4 --name 'lr{lr}w{width}' python train.py '{lr}' '{width}'
  for index in 0 1 2 3 4 5; do
    loss=$(gjob log "${id}_$index" | sed -n 's/^loss //p')
    [ -n "$loss" ] || return 1
    [ -z "${least-}" ] || holds "$loss < $least" || continue
    least=$loss best=${id}_$index
  done
  # What is right is computed once more without gflow.
  want=$(for lr in 0.001 0.01 0.1; do for width in 2 4; do
    echo "$(python train.py $lr $width | cut -d' ' -f2) lr$lr width$width"
  done; done | sort -g | head -n1)
  values=$(gjob show "$best" --json | python -c '
import json, sys
values = json.load(sys.stdin)["jobs"][0]["parameters"]
print("lr" + values["lr"], "width" + values["width"])')
  row=$(gqueue -s all -f JOBID,NAME,PARAMS,STATE | grep "^ *$best ")
  echo "best $best: $values, loss $least; gqueue: $(xargs <<<"$row")"
  [ "$least $values" = "$want" ] && [[ $row == *lr${values:2:3}* ]]
}
attempt "gbatch --param lr=… --param width=… python train.py '{lr}' '{width}'" 'the best of six is that of six runs by hand' sweep
