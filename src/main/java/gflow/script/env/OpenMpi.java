package gflow.script.env;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * What programs of OpenMPI and their mpirun are told. Its version 5 knows most settings by the
 * names of PRRTE, so both are set; who has no use for a name does not look at it.
 */
public final class OpenMpi {
  /** With this a program on its own takes itself for one that Slurm has started, and fails. */
  public static final List<String> HIDDEN = List.of("SLURM_NODELIST");

  /**
   * For each mpirun of a job: by itself it binds its ranks to the first cores of the machine, also
   * if they are another job's, or none of ours. Unbound they stay where the job is.
   */
  static final SequencedMap<String, String> JOB = new LinkedHashMap<>();

  /** What the mpirun of a step must do, whatever the user's settings are for others. */
  private static final SequencedMap<String, String> MPIRUN = new LinkedHashMap<>();

  static {
    for (String maker : List.of("OMPI", "PRTE")) {
      MPIRUN.put(maker + "_ALLOW_RUN_AS_ROOT", "1");
      MPIRUN.put(maker + "_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
      // Those that it ends only stand in for the ranks.
      MPIRUN.put(maker + "_MCA_odls_base_sigkill_timeout", "0");
    }
    MPIRUN.put("OMPI_MCA_plm", "isolated");
    MPIRUN.put("OMPI_MCA_orte_default_hostfile", "none");
    MPIRUN.put("PRTE_MCA_prte_default_hostfile", "none");
    MPIRUN.put("OMPI_MCA_rmaps_base_oversubscribe", "1");
    MPIRUN.put("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
    JOB.put("OMPI_MCA_hwloc_base_binding_policy", "none");
    JOB.put("PRTE_MCA_hwloc_default_binding_policy", "none");
    MPIRUN.putAll(JOB);
  }

  private static final List<String> OF_RANKS = List.of("OMPI_", "PMIX_", "ORTE_", "PRTE_", "OPAL_");

  /**
   * What mpirun runs in place of each rank. It holds the end of a pipe of the step's parent ({@code
   * $1}; the descriptors follow) until that is closed, because the task is over; it says who it is,
   * and its environment then tells how a task becomes that rank. Signals are for the tasks.
   */
  private static final String STAND_IN =
      """
      trap '' HUP INT QUIT TERM USR1 USR2
      fds=/proc/$1/fd tell=$2 rank=${OMPI_COMM_WORLD_RANK-$PMIX_RANK}
      shift $((rank + 2))
      exec 3<"$fds/$1" && echo "$rank $$" >"$fds/$tell" || exit 1
      read -r over <&3
      exit 0
      """;

  /** A signal that mpirun hears, as all processes of a step do, would end all of its ranks. */
  private static final String DEAF =
      """
      deaf=--block-signal=HUP,INT,QUIT,TERM,USR1,USR2
      env "$deaf" true 2>/dev/null && exec env "$deaf" "$@"
      exec "$@"
      """;

  private OpenMpi() {}

  /** {@code parent}: whose descriptors these are: where to tell, and where each is to wait. */
  public static List<String> words(String mpirun, long parent, int tell, List<Integer> waits) {
    var words = new ArrayList<>(List.of("/bin/sh", "-c", DEAF, "sh", mpirun));
    words.addAll(List.of("-np", "" + waits.size(), "/bin/sh", "-c", STAND_IN, "sh"));
    words.addAll(List.of("" + parent, "" + tell));
    waits.forEach(fd -> words.add("" + fd));
    return words;
  }

  /** Of mpirun, from that of a task: Slurm is none of its business. */
  public static byte[] mpirun(byte[] task) {
    return Environment.of(task).keep(name -> !name.startsWith("SLURM_")).with(MPIRUN).block();
  }

  /** Of a task that is to be the rank for which a process with this environment stands. */
  public static byte[] rank(byte[] task, byte[] standIn) {
    Environment told =
        Environment.of(standIn).keep(name -> OF_RANKS.stream().anyMatch(name::startsWith));
    var names = told.names();
    var all = new ArrayList<>(told.entries());
    all.addAll(Environment.of(task).keep(name -> !names.contains(name)).entries());
    return new Environment(all).block();
  }
}
