package gflow.api;

import java.util.Optional;

/** What became of a {@link JoinOrder}. */
public sealed interface JoinAnswer {
  /**
   * The job runs. {@code environment} is its own, each byte one char, entries ended by NUL; {@code
   * slurmsNames} the folder with Slurm's names for our commands. In the file {@code reason} stands
   * why the job had to end, if it had to; {@code env} are the words that run a program with its
   * signals reset.
   */
  record Joined(
      long jobId,
      String host,
      String environment,
      Optional<String> slurmsNames,
      String reason,
      String env)
      implements JoinAnswer {}

  /** It has not started yet, and why. */
  record Waits(long jobId, String why) implements JoinAnswer {}

  /** It is over, or about to be. */
  record Over(long jobId, String state, String why) implements JoinAnswer {}
}
