# GROMACS: a box of 216 waters. The energy of its last step is that of a run without gflow, however it is started.

debian gmx gromacs gromacs-data || return
program="GROMACS $(gmx --version 2>/dev/null | sed -n 's/^GROMACS version: *\([0-9.]*\).*/\1/p')"
fresh sim:4x24G 8

cat >water.top <<'X'
#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spce.itp"
[ system ]
water
[ molecules ]
SOL 216
X
# water NAME STEPS: a .tpr of so many steps. A seed of its own makes velocities the same each time.
water() {
  cat >"$1.mdp" <<X
integrator = md
dt = 0.001
nsteps = $2
nstenergy = 100
nstcalcenergy = 100
nstlog = 0
nstxout-compressed = 100
rcoulomb = 0.85
rvdw = 0.85
gen-vel = yes
gen-seed = 4711
tcoupl = v-rescale
tc-grps = System
tau-t = 0.5
ref-t = 300
ld-seed = 4711
X
  cp /usr/share/gromacs/top/spc216.gro .
  gmx grompp -f "$1.mdp" -c spc216.gro -p water.top -o "$1.tpr" -maxwarn 3 >grompp.log 2>&1
}

# The potential energy at the last time, and that time.
energy() { echo Potential | gmx energy -f "$1.edr" -o "$1.xvg" >/dev/null 2>&1; tail -n1 "$1.xvg"; }

# as_alone RANKS NAME…: the time and the energy of the last frame are those of alone.edr. Numbers of other ranks are rounded otherwise.
as_alone() {
  local n=$1 name time potential ranks
  shift
  for name; do
    read -r time potential <<<"$(energy "$name")"
    ranks=$(sed -n 's/^Using \([0-9]*\) MPI .*/\1/p' "$name.log" | head -n1)
    echo "$name: ${time:-no} ps, potential ${potential:-none} kJ/mol, ${ranks:-1} ranks"
    near "$time" "$alone_time" && near "$potential" "$alone_energy" 1e-3 && [ "${ranks:-1}" = "$n" ] || return 1
  done
}

water short 100
gmx mdrun -s short.tpr -deffnm alone -ntmpi 1 -ntomp 1 -pin off >/dev/null 2>&1
read -r alone_time alone_energy <<<"$(energy alone)"

job srun.sh <<'X'
#SBATCH --ntasks=2 --cpus-per-task=1
srun gmx_mpi mdrun -s short.tpr -deffnm srun -ntomp 1
X
by_srun() { finish sbatch srun.sh && as_alone 2 srun; }
attempt 'sbatch, srun gmx_mpi mdrun, 2 ranks' 'last frame as alone (0.1 %); one world of 2' by_srun

job mpirun.sh <<'X'
#SBATCH --ntasks=2 --cpus-per-task=1
mpirun gmx_mpi mdrun -s short.tpr -deffnm mpirun -ntomp 1
X
by_mpirun() { finish sbatch mpirun.sh && as_alone 2 mpirun; }
attempt 'sbatch, mpirun gmx_mpi mdrun, 2 ranks' 'last frame as alone (0.1 %); one world of 2' by_mpirun

job threads.sh <<'X'
#SBATCH --gres=gpu:1 --cpus-per-task=2
gmx mdrun -s short.tpr -deffnm threads -ntmpi 1 -ntomp "$SLURM_CPUS_PER_TASK" -nb cpu
X
by_threads() { finish sbatch threads.sh && as_alone 1 threads; }
attempt 'sbatch, gmx mdrun -ntomp $SLURM_CPUS_PER_TASK' 'last frame as alone (0.1 %)' by_threads

job four.sh <<'X'
#SBATCH --ntasks=4 --cpus-per-task=1 --gres=gpu:4
for i in 1 2 3 4; do
  srun --exact -n1 --gres=gpu:1 gmx mdrun -s short.tpr -deffnm four$i -ntmpi 1 -ntomp 1 -nb cpu -pin on &
done
wait
X
four() { finish sbatch four.sh && as_alone 1 four1 four2 four3 four4; }
attempt 'four by srun --exact --gres=gpu:1 … &' 'four last frames as alone (0.1 %)' four

# A run longer than its time limit goes on from its checkpoint: the limit's signal ends mdrun, the script asks for another turn.
water long 60000
job chain.sh <<'X'
#SBATCH --time=0:08 --signal=TERM@5 --open-mode=append
srun gmx mdrun -s long.tpr -deffnm long -cpi long.cpt -ntmpi 1 -ntomp 1 -nb cpu
[ -e long.gro ] || scontrol requeue $SLURM_JOB_ID
X
over_limits() {
  local turns time
  finish sbatch chain.sh
  turns=$(($(scontrol show job "$id" | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p') + 1))
  read -r time _ <<<"$(energy long)"
  echo "$turns turns, last frame at $time ps, $(gmx check -f long.xtc 2>&1 | awk '/^Step/ {print $2}') frames"
  near "$time" 60 && [ "$turns" -gt 1 ] && [ -e long.gro ] && [ "$(gmx check -f long.xtc 2>&1 | awk '/^Step/ {print $2}')" = 601 ]
}
attempt 'mdrun -cpi over a time limit: --signal, scontrol requeue' 'one trajectory of 601 frames to 60 ps' over_limits

beside 'srun gmx mdrun -pin on' srun gmx mdrun -s "$PWD/long.tpr" -nsteps 10000 -ntmpi 1 -ntomp 1 -nb cpu -pin on
