package gflow.script.order;

import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The options that Slurm's commands take from variables: above the lines of a script, below the
 * command line. Only they do: {@code gbatch} and {@code grun} are not to be surprised by them.
 */
public enum OptionVariables {
  SBATCH(
      "sbatch",
      "SBATCH_",
      "account acctg-freq clusters constraint container core-spec cpu-freq cpus-per-gpu delay-boot"
          + " distribution error exclusive export get-user-env gpu-bind gpu-freq gpus gpus-per-node"
          + " gpus-per-task gres gres-flags hint ignore-pbs input licenses mem-bind mem-per-cpu"
          + " mem-per-gpu network no-kill no-requeue open-mode output overcommit partition power"
          + " profile qos requeue reservation signal spread-job thread-spec threads-per-core"
          + " use-min-nodes wait wckey",
      "SBATCH_ARRAY_INX=array SBATCH_DEBUG=verbose SBATCH_JOB_NAME=name SBATCH_MEM_PER_NODE=mem"
          + " SBATCH_REQ_SWITCH=switches SBATCH_TIMELIMIT=time",
      "SBATCH_BATCH SBATCH_WAIT4SWITCH SBATCH_WAIT_ALL_NODES SLURM_CLUSTERS SLURM_EXIT_ERROR"
          + " SLURM_HINT SLURM_UMASK"),

  SALLOC(
      "salloc",
      "SALLOC_",
      "account acctg-freq bell clusters constraint container core-spec cpus-per-gpu delay-boot"
          + " exclusive gpu-bind gpu-freq gpus gpus-per-node gpus-per-task gres gres-flags hint"
          + " immediate mem-bind mem-per-cpu mem-per-gpu network no-bell no-kill overcommit"
          + " partition power profile qos reservation signal spread-job thread-spec"
          + " threads-per-core use-min-nodes wckey",
      "SALLOC_BURST_BUFFER=bb SALLOC_DEBUG=verbose SALLOC_KILL_CMD=kill-command"
          + " SALLOC_MEM_PER_NODE=mem SALLOC_REQ_SWITCH=switches SALLOC_TIMELIMIT=time",
      "SALLOC_WAIT4SWITCH SALLOC_WAIT_ALL_NODES SLURM_CLUSTERS SLURM_EXIT_ERROR"
          + " SLURM_EXIT_IMMEDIATE SLURM_HINT"),

  /** What counts for a step: a job sets none of these. */
  STEP(
      "srun inside a job",
      "SLURM_",
      "cpu-bind disable-status exact exclusive gpu-bind immediate overlap overcommit threads wait",
      "SLURM_CPU_FREQ_REQ=cpu-freq SLURM_DEBUG=verbose SLURM_EXPORT_ENV=export"
          + " SLURM_KILL_BAD_EXIT=kill-on-bad-exit SLURM_LABELIO=label SLURM_MPI_TYPE=mpi"
          + " SLURM_REMOTE_CWD=chdir SLURM_STDERRMODE=error SLURM_STDINMODE=input"
          + " SLURM_STDOUTMODE=output SLURM_STEP_GRES=gres SLURM_TIMELIMIT=time"
          + " SLURM_UNBUFFEREDIO=unbuffered SLURM_WORKING_DIR=chdir"
          + " SRUN_CPUS_PER_TASK=cpus-per-task SRUN_EXPORT_ENV=export",
      "PMI_FANOUT PMI_FANOUT_OFF_HOST PMI_TIME SLURM_DIST_PLANESIZE SLURM_EPILOG"
          + " SLURM_EXIT_ERROR SLURM_EXIT_IMMEDIATE SLURM_PMI_KVS_NO_DUP_KEYS SLURM_PROLOG"
          + " SLURM_TASK_EPILOG SLURM_TASK_PROLOG SLURM_TEST_EXEC SLURM_UMASK SLURM_WAIT4SWITCH"
          + " SRUN_CONTAINER"),

  SRUN(
      "srun outside a job",
      "SLURM_",
      "account acctg-freq bcast bcast-exclude compress constraint core-spec cpu-bind cpus-per-gpu"
          + " delay-boot dependency disable-status distribution exact exclusive gpu-bind gpu-freq"
          + " gpus gpus-per-node gpus-per-task gres gres-flags hint immediate job-name mem-bind"
          + " mem-per-cpu mem-per-gpu network no-kill ntasks ntasks-per-core ntasks-per-gpu"
          + " ntasks-per-node ntasks-per-socket overcommit overlap partition power profile qos"
          + " reservation resv-ports send-libs signal spread-job thread-spec threads"
          + " threads-per-core use-min-nodes wait wckey",
      "SLURM_BURST_BUFFER=bb SLURM_MEM_PER_NODE=mem SLURM_NNODES=nodes SLURM_NPROCS=ntasks"
          + " SLURM_REQ_SWITCH=switches "
          + STEP.others.replace("SLURM_STEP_GRES=gres ", ""),
      "SLURM_JOB_ID SLURM_JOB_NUM_NODES " + STEP.unread);

  private final String command;
  private final String prefix;
  private final String alike;
  private final String others;
  private final String unread;

  OptionVariables(String command, String prefix, String alike, String others, String unread) {
    this.command = command;
    this.prefix = prefix;
    this.alike = alike;
    this.others = others;
    this.unread = unread;
  }

  public String command() {
    return command;
  }

  /** Options by variable, as the manual lists them. */
  public SortedMap<String, String> options() {
    var all = new TreeMap<String, String>();
    for (String option : alike.split(" ", -1)) {
      all.put(prefix + option.replace('-', '_').toUpperCase(Locale.ROOT), option);
    }
    for (String other : others.split(" ", -1)) {
      all.put(other.substring(0, other.indexOf('=')), other.substring(other.indexOf('=') + 1));
    }
    return all;
  }

  /** What the manual has too, and gflow does not look at. */
  public List<String> unread() {
    return List.of(unread.split(" ", -1));
  }

  /** The variables under what the command line said; {@code variables} knows the environment. */
  public Given under(
      Grammar grammar, Given commandLine, Function<String, Optional<String>> variables)
      throws BadInput {
    var found = new TreeMap<String, List<String>>();
    for (var option : options().entrySet()) {
      Optional<String> value = variables.apply(option.getKey());
      if (value.isPresent()) {
        read(grammar, option.getKey(), option.getValue(), value.get(), found);
      }
    }
    return Directives.merge(commandLine, new Given(found, List.of()));
  }

  private static void read(
      Grammar grammar,
      String variable,
      String option,
      String value,
      SortedMap<String, List<String>> found)
      throws BadInput {
    try {
      String word = isFlag(grammar, option) ? "--" + option : "--" + option + "=" + value;
      // The one flag that counts is -v, and its variable is a number.
      int times = option.equals("verbose") && value.matches("[1-9]") ? value.charAt(0) - '0' : 1;
      found.putAll(grammar.read(Collections.nCopies(times, word)).byName());
    } catch (BadInput bad) {
      throw new BadInput(variable + ": " + bad.line());
    }
  }

  private static boolean isFlag(Grammar grammar, String option) {
    return grammar.options().stream()
        .anyMatch(o -> o.name().equals(option) && o.arity() == Opt.Arity.FLAG);
  }
}
