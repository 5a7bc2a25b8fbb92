# CP2K: one water molecule by DFT. The total energy is the same however it is started.

debian cp2k.psmp cp2k cp2k-data || return
program="CP2K $(cp2k.psmp --version 2>/dev/null | sed -n 's/.*CP2K version *//p' | head -n1)"
fresh sim:4x24G 8

cat >water.inp <<'X'
&GLOBAL
  PROJECT water
  RUN_TYPE ENERGY
&END GLOBAL
&FORCE_EVAL
  METHOD QS
  &DFT
    BASIS_SET_FILE_NAME BASIS_MOLOPT
    POTENTIAL_FILE_NAME GTH_POTENTIALS
    &MGRID
      CUTOFF 150
    &END MGRID
    &SCF
      EPS_SCF 1.0E-6
      &OT
      &END OT
      &PRINT
        &RESTART OFF
        &END RESTART
      &END PRINT
    &END SCF
    &XC
      &XC_FUNCTIONAL PBE
      &END XC_FUNCTIONAL
    &END XC
  &END DFT
  &SUBSYS
    &CELL
      ABC 5 5 5
    &END CELL
    &COORD
      O 0.000000 0.000000 0.117790
      H 0.000000 0.755453 -0.471161
      H 0.000000 -0.755453 -0.471161
    &END COORD
    &KIND O
      BASIS_SET SZV-MOLOPT-GTH
      POTENTIAL GTH-PBE-q6
    &END KIND
    &KIND H
      BASIS_SET SZV-MOLOPT-GTH
      POTENTIAL GTH-PBE-q1
    &END KIND
  &END SUBSYS
&END FORCE_EVAL
X
export OMP_NUM_THREADS=1
cp2k.psmp -i water.inp -o alone.out >/dev/null 2>&1

energy() { sed -n 's/.*Total FORCE_EVAL.*: *//p' "$1"; }
ranks() { sed -n 's/.*Total number of message passing processes *//p' "$1"; }

# as_alone RANKS OUTPUT…
as_alone() {
  local n=$1 out
  shift
  for out; do
    echo "$out: $(energy "$out") hartree on $(ranks "$out") ranks"
    near "$(energy "$out")" "$(energy alone.out)" 1e-8 && [ "$(ranks "$out")" = "$n" ] || return 1
  done
}

job srun.sh <<'X'
#SBATCH --ntasks=2
srun cp2k.psmp -i water.inp -o srun.out
X
by_srun() { finish sbatch srun.sh && as_alone 2 srun.out; }
attempt 'sbatch, srun cp2k.psmp, 2 ranks' 'energy as alone; one world of 2' by_srun

job mpirun.sh <<'X'
#SBATCH --ntasks=2
mpirun cp2k.psmp -i water.inp -o mpirun.out
X
by_mpirun() { finish sbatch mpirun.sh && as_alone 2 mpirun.out; }
attempt 'sbatch, mpirun cp2k.psmp, 2 ranks' 'energy as alone; one world of 2' by_mpirun

job four.sh <<'X'
#SBATCH --ntasks=4 --gres=gpu:4
for i in 1 2 3 4; do
  srun --exact -n1 --gres=gpu:1 cp2k.psmp -i water.inp -o four.$i.out &
done
wait
X
four() { finish sbatch four.sh && as_alone 1 four.{1,2,3,4}.out; }
attempt 'four by srun --exact --gres=gpu:1 … &' 'four energies as alone' four

beside 'srun cp2k.psmp' srun cp2k.psmp -i "$PWD/water.inp"
