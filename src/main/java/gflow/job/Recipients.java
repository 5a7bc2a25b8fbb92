package gflow.job;

/**
 * Which programs of a job a signal is for, in Slurm's division. Whoever gets it gets it once: not
 * {@code srun}, which would hand it on to its program, and not what is in a process group of its
 * own within a program, as the ranks of {@code mpirun}, which get it from there.
 */
public enum Recipients {
  /** What {@code srun} started, and not the script. */
  STEPS,
  /** The script alone: the job's first program. */
  SCRIPT,
  /** The steps; if there is none now, what the script itself started. */
  PROGRAMS,
  ALL;

  /** A command without a script is all that there is, so that it gets it in any case. */
  public Recipients of(Program program) {
    return program instanceof Program.Argv ? ALL : this;
  }
}
