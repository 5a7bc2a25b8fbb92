# ASE over many files: energies of 40 clusters by gmap, three of the files broken. The numbers are those of a loop in Python.

pypi ase || return
program="ASE $(pypi_version ase)"
fresh sim:4x24G 8

cat >evaluate.py <<'X'
import sys
from ase.calculators.emt import EMT
from ase.io import read
from ase.optimize import BFGS

def energy(path):
    atoms = read(path)
    atoms.calc = EMT()
    BFGS(atoms, logfile=None).run(fmax=0.05, steps=50)
    return round(atoms.get_potential_energy(), 6)

if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(path, energy(path))
X
cat >worker.py <<'X'
import gflow_worker
from evaluate import energy

gflow_worker.serve(lambda path: {"energy": energy(path)})
X
mkdir mol
python - <<'X'
import random
from ase import Atoms
from ase.io import write

random.seed(1)
for i in range(40):
    atoms = Atoms(f"Cu{2 + i % 7}", [[2.5 * k, random.uniform(-1, 1), random.uniform(-1, 1)] for k in range(2 + i % 7)])
    write(f"mol/m{i:02}.xyz", atoms)
X
for i in 07 18 33; do echo broken >"mol/m$i.xyz"; done
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
ls mol/*.xyz | grep -v -e m07 -e m18 -e m33 | xargs python evaluate.py | sort >alone.txt

# as_alone RESULTS: path and energy of each item that is done, and which failed.
as_alone() {
  python - "$1" >found.txt 2>failed.txt <<'X'
import json, sys
for line in open(sys.argv[1] + "/results.jsonl"):
    said = json.loads(line)
    if said["status"] == "ok":
        print(said["item"], said["value"]["energy"] if "value" in said else said["stdout"].split()[-1])
    else:
        print(said["item"], file=sys.stderr)
X
  sort -o found.txt found.txt
  echo "$(wc -l <found.txt) energies, $(cmp -s found.txt alone.txt && echo 'all the same' || echo OTHERS); failed: $(sort failed.txt | xargs -n1 basename 2>/dev/null | xargs)"
  cmp -s found.txt alone.txt && [ "$(sort failed.txt | xargs)" = 'mol/m07.xyz mol/m18.xyz mol/m33.xyz' ]
}

each() { gmap --dir_path mol --results each python evaluate.py >gmap.log 2>&1; as_alone each; }
attempt 'gmap --dir_path mol python evaluate.py' '37 energies as of a loop, 3 files failed' each

warm() { gmap --dir_path mol --results warm --worker python worker.py >gmap.log 2>&1; as_alone warm; }
attempt 'gmap --worker --dir_path mol python worker.py' '37 energies as of a loop, 3 files failed' warm
