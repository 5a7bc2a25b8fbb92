package gflow.job;

/** Which processes of a job a signal is for, in Slurm's division. */
public enum Recipients {
  /** What {@code srun} started, and not the script. */
  STEPS,
  /** The script alone: the job's first program. */
  SCRIPT,
  ALL
}
