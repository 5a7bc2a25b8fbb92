# i-PI: path integrals of 8 atoms in harmonic wells, 16 beads, 16 clients on 8 CPUs and 4 GPUs. Each bead's forces
# are computed on their own, so the numbers are those of a single client without gflow, digit by digit.

pypi ipi || return
program="i-PI $(pypi_version ipi)"
fresh sim:4x24G 8

{ printf '8\n# CELL(abcABC): 20 20 20 90 90 90 cell{angstrom} positions{angstrom}\n'
  for i in 1 2 3 4 5 6 7 8; do echo "H 0.$i 0.1 -0.$i"; done; } >init.xyz
cat >input.xml <<'X'
<simulation verbosity='medium'>
  <output prefix='pimd'>
    <properties stride='1' filename='out'> [ step, conserved, potential, kinetic_cv ] </properties>
  </output>
  <total_steps> 100 </total_steps>
  <prng> <seed> 4711 </seed> </prng>
  <ffsocket mode='unix' name='driver' pbc='false'>
    <address> water </address> <latency> 1e-3 </latency>
  </ffsocket>
  <system>
    <initialize nbeads='16'>
      <file mode='xyz'> init.xyz </file>
      <velocities mode='thermal' units='kelvin'> 300 </velocities>
    </initialize>
    <forces> <force forcefield='driver'/> </forces>
    <motion mode='dynamics'>
      <dynamics mode='nvt'>
        <timestep units='femtosecond'> 0.5 </timestep>
        <thermostat mode='pile_g'> <tau units='femtosecond'> 100 </tau> </thermostat>
      </dynamics>
    </motion>
    <ensemble> <temperature units='kelvin'> 300 </temperature> </ensemble>
  </system>
</simulation>
X

# By hand, without gflow, with one client: what is right.
mkdir -p alone one many
cp input.xml init.xyz alone && cp input.xml init.xyz one && cp input.xml init.xyz many
(
  cd alone || exit
  i-pi -S "$PWD/s_" input.xml >ipi.log 2>&1 &
  until [ -e s_water ]; do sleep 0.2; done
  i-pi-py_driver -u -S "$PWD/s_" -a water -m harmonic -o 0.05 >/dev/null 2>&1
  wait
)

# as_alone FOLDER: the same numbers, from 16 clients, 4 on each GPU.
as_alone() {
  local steps clients gpus
  steps=$(grep -vc '^#' "$1/pimd.out")
  clients=$(grep -c 'Handshaking was successful' "$1/ipi.log")
  gpus=$(cut -d' ' -f2 "$1"/client.[0-9]* | sort | uniq -c | awk '{printf "%s%d×GPU %s", (NR > 1) ? ", " : "", $1, $2}')
  echo "$steps steps, $(cmp "$1/pimd.out" alone/pimd.out >/dev/null && echo 'the same' || echo OTHER) numbers; $clients clients: $gpus"
  cmp -s "$1/pimd.out" alone/pimd.out && [ "$steps" = 101 ] && [ "$clients" = 16 ] &&
    [ "$gpus" = '4×GPU 0, 4×GPU 1, 4×GPU 2, 4×GPU 3' ]
}

# One job: more clients than CPUs, GPUs handed out in turns by the launcher. The socket is in the job's own TMPDIR, so that one that
# was left behind by another run is in nobody's way.
job one/job.sh <<'X'
#SBATCH --nodes=1 --ntasks-per-node=16 --overcommit --gres=gpu:4
i-pi -S "$TMPDIR/ipi_" input.xml >ipi.log 2>&1 &
until [ -e "$TMPDIR/ipi_water" ]; do sleep 0.2; done
srun launch.sh
wait
X
job one/launch.sh <<'X'
export CUDA_VISIBLE_DEVICES=$((SLURM_LOCALID % 4))
echo "$SLURM_LOCALID $CUDA_VISIBLE_DEVICES" >client.$SLURM_LOCALID
exec i-pi-py_driver -u -S "$TMPDIR/ipi_" -a water -m harmonic -o 0.05
X
chmod +x one/launch.sh
one() { (cd one && finish sbatch job.sh); as_alone one; }
attempt 'sbatch, 16 tasks, --overcommit; srun launch.sh' 'numbers as alone; 16 clients, 4 on each GPU' one

# A server and an array of clients with a quarter of a GPU each: gflow hands out the GPUs.
job many/client.sh <<'X'
echo "$SLURM_ARRAY_TASK_ID $CUDA_VISIBLE_DEVICES" >client.$SLURM_ARRAY_TASK_ID
until [ -e s_water ]; do sleep 0.2; done
exec i-pi-py_driver -u -S "$PWD/s_" -a water -m harmonic -o 0.05
X
many() {
  (
    cd many || exit
    server=$(gbatch --name server --wrap 'exec i-pi -S "$PWD/s_" input.xml >ipi.log 2>&1' | grep -o '[0-9]*$')
    finish gbatch --gpus 0.25 --array 0-15 --dependency "after:$server" client.sh
    ended "$server"
  )
  as_alone many
}
attempt 'gbatch i-pi; gbatch --gpus 0.25 --array 0-15 client.sh' 'numbers as alone; 16 clients, 4 on each GPU' many
