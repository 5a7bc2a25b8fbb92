# torch.compile: what one job has compiled is found by the next one, although each has a TMPDIR of its own.

debian g++ g++ && pypi torch numpy || return
program="torch.compile $(pypi_version torch)"
fresh sim:4x24G 8

# A number that no other run has had makes the first job compile.
cat >compiled.py <<'X'
import sys, time, torch
from torch._dynamo.utils import counters

torch.set_num_threads(1)
number = float(sys.argv[1])

def f(x):
    return (torch.sin(x) * number + torch.cos(x)).relu().sum()

x = torch.linspace(0, 1, 1000)
start = time.time()
y = torch.compile(f)(x)
seen = counters["inductor"]
print("%.2f" % (time.time() - start), seen["fxgraph_cache_hit"], seen["fxgraph_cache_miss"], bool(torch.isclose(y, f(x))))
X
twice() {
  local number="1.$EPOCHSECONDS" name s1 s2 hit1 hit2 miss1 miss2 right1 right2
  for name in first second; do
    finish gbatch --gpus 1 -c 1 --output "$name.out" python compiled.py "$number"
  done
  read -r s1 hit1 miss1 right1 <first.out
  read -r s2 hit2 miss2 right2 <second.out
  echo "first job: $s1 s, $miss1 missed; second: $s2 s, $hit2 found, $miss2 missed"
  [ "$right1 $right2 $hit1 $miss2" = 'True True 0 0' ] && [ "$hit2" -gt 0 ] && holds "$s2 < $s1"
}
attempt 'gbatch python compiled.py, twice' 'value as without compile; found in the cache by the second' twice
