package gflow.script.step;

import gflow.script.env.OpenMpi;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The tasks of a step, for who starts them itself: its name and host, where they run, how, and
 * where to write their exit code and to read why they had to end.
 */
public record StepPlan(
    String name,
    String host,
    String folder,
    List<Task> tasks,
    Manner manner,
    String record,
    StepScript.Reason reason) {
  /** The descriptor by which a task of an MPI program asks for the others. */
  public static final int PMI_FD = 10;

  public StepPlan {
    tasks = List.copyOf(tasks);
  }

  /**
   * A program with its path and arguments, all of its environment, its files, and the CPUs that are
   * its own, if it has any.
   */
  public record Task(
      List<String> words, byte[] environment, StepScript.Streams streams, List<Integer> cpus) {
    public Task {
      words = List.copyOf(words);
      cpus = List.copyOf(cpus);
    }
  }

  /**
   * Whether to tell failures as srun does; how their output is joined; to end all tasks when one
   * fails; how they are one MPI program; the pause between two starts; and who starts again.
   */
  public record Manner(
      boolean slurm,
      Joining joining,
      boolean killOnBadExit,
      Mpi mpi,
      Duration stagger,
      Again again) {}

  /**
   * How often a task that fails is started again, whose it is in words, and where to write how many
   * ended well.
   */
  public record Again(int retries, String whose, Optional<String> tally) {}

  /** The code of the step, and whether a task failed because a GPU had no memory for it. */
  public record Ended(int code, boolean outOfGpuMemory) {}

  /** How what several tasks write comes together in one stream. */
  public enum Joining {
    /** As it comes, torn where two write at the same time. */
    RAW,
    LINES,
    /** With the number of the task before each line. */
    LABELS
  }

  /** What tasks have to do with each other. */
  public sealed interface Mpi {
    /** Nothing. */
    record None() implements Mpi {}

    /** Nothing, though it is a program of OpenMPI, which must not look for others. */
    record Single() implements Mpi {}

    /** They are one program if they ask for each other by PMI-1, as those of MPICH do. */
    record Pmi() implements Mpi {}

    /** They are one program, for which this mpirun of OpenMPI serves. */
    record Mpirun(String program) implements Mpi {}

    /** Names of variables that such a task must not see. */
    default List<String> hidden() {
      return this instanceof Single ? OpenMpi.HIDDEN : List.of();
    }
  }
}
