# LAMMPS: a melt of 4000 Lennard-Jones atoms. The energy of its last step is the same however it is started.

debian lmp lammps || return
program="LAMMPS $(lmp -h | sed -n 's/.*Simulator - \(.*\)/\1/p' | head -n1)"
fresh sim:4x24G 8

cat >melt.in <<'X'
units lj
lattice fcc 0.8442
region box block 0 10 0 10 0 10
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
fix 1 all nve
thermo 50
variable gpu getenv CUDA_VISIBLE_DEVICES
print "GPU ${gpu}"
variable steps index 50
run ${steps}
X

# By hand, without gflow: what is right.
CUDA_VISIBLE_DEVICES='' lmp -in melt.in -log alone.log >/dev/null

# The total energy of the last step, and on how many ranks it was computed.
energy() { awk '/^ *50 / {e = $5} END {print e}' "$1"; }
ranks() { sed -n 's/^Loop time of .* on \([0-9]*\) procs.*/\1/p' "$1"; }

# as_alone RANKS LOG…
as_alone() {
  local n=$1 log
  shift
  for log; do
    echo "$log: energy $(energy "$log") on $(ranks "$log") ranks"
    near "$(energy "$log")" "$(energy alone.log)" && [ "$(ranks "$log")" = "$n" ] || return 1
  done
}

job srun.sh <<'X'
#SBATCH --ntasks=2
srun lmp -in melt.in -log srun.log
X
by_srun() { finish sbatch srun.sh && as_alone 2 srun.log; }
attempt 'sbatch, srun lmp, 2 ranks' 'energy as alone; one world of 2' by_srun

job mpirun.sh <<'X'
#SBATCH --ntasks=2
mpirun lmp -in melt.in -log mpirun.log
X
by_mpirun() { finish sbatch mpirun.sh && as_alone 2 mpirun.log; }
attempt 'sbatch, mpirun lmp, 2 ranks' 'energy as alone; one world of 2' by_mpirun

by_grun() { grun -n 2 lmp -in melt.in -log grun.log >/dev/null && as_alone 2 grun.log; }
attempt 'grun -n 2 lmp' 'energy as alone; one world of 2' by_grun

job four.sh <<'X'
#SBATCH --ntasks=4 --gres=gpu:4
for i in 1 2 3 4; do
  srun --exact -n1 --gres=gpu:1 lmp -in melt.in -log four.$i.log &
done
wait
X
four() {
  finish sbatch "$1" && as_alone 1 four.{1,2,3,4}.log || return 1
  [ "$(sed -n 's/^GPU //p' four.*.log | sort -u | xargs)" = '0 1 2 3' ] && echo "4 runs, energy $(energy four.1.log), GPUs 0 1 2 3"
}
attempt 'four by srun --exact --gres=gpu:1 … &' 'four energies as alone, four GPUs' 'four four.sh'

# Inside a script srun cannot see that the program is OpenMPI's: --mpi=none says that each is alone.
job launch.sh <<'X'
exec lmp -in melt.in -log "four.$1.log"
X
chmod +x launch.sh
job hidden.sh <<'X'
#SBATCH --ntasks=4 --gres=gpu:4
rm -f four.*.log
for i in 1 2 3 4; do
  srun --exact -n1 --gres=gpu:1 --mpi=none ./launch.sh $i &
done
wait
X
attempt 'the same with lmp in a script, --mpi=none' 'four energies as alone, four GPUs' 'four hidden.sh'

beside 'mpirun -np 1 lmp' mpirun -np 1 lmp -var steps 1000 -in "$PWD/melt.in"
