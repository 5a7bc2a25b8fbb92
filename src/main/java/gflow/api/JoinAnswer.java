package gflow.api;

import java.util.List;
import java.util.Optional;

/** What became of a {@link JoinOrder}. */
public sealed interface JoinAnswer {
  /**
   * The job runs. {@code environment} is its own, each byte one char, entries ended by NUL; {@code
   * slurmsNames} the folder with Slurm's names for our commands. In the file {@code reason} stands
   * why the job had to end, if it had to; {@code env} are the words that run a program with its
   * signals reset, {@code fence} those that go before a program to bring it behind the job's fence.
   */
  record Joined(
      long jobId,
      String host,
      String environment,
      Optional<String> slurmsNames,
      String reason,
      String env,
      List<String> fence)
      implements JoinAnswer {
    public Joined {
      fence = List.copyOf(fence);
    }
  }

  /** It has not started yet, and why. */
  record Waits(long jobId, String why) implements JoinAnswer {}

  /** It is over, or about to be. */
  record Over(long jobId, String state, String why) implements JoinAnswer {}
}
