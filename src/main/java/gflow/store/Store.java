package gflow.store;

import gflow.job.AttemptId;
import gflow.job.BlobId;
import gflow.job.Job;
import gflow.job.Loan;
import gflow.job.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The daemon's memory. {@code commit}, {@code load}, {@code settings} and {@code prune} belong to
 * the writer thread; the rest is for all. Times are kept to the microsecond. A change that
 * contradicts what is there (a job number given out before, a job without its blobs, an attempt
 * that does not exist, an answered key) is an error of ours: an {@link IllegalStateException}, and
 * nothing of its group is kept.
 */
public interface Store extends AutoCloseable {
  /** Returns when all changes are on disk. On an exception none of them is. */
  void commit(List<Change> changes) throws StoreException;

  /** What was set, by name. */
  SortedMap<String, String> settings() throws StoreException;

  /** All that is not over, for the start of the daemon. */
  Loaded load() throws StoreException;

  /**
   * Forgets ended jobs whose end is before that time, and blobs that nobody needs any more: as much
   * of it as takes a moment.
   */
  Pruned prune(Instant endedBefore) throws StoreException;

  /** How many jobs were forgotten, and whether there may be more. */
  record Pruned(int jobs, boolean more) {}

  History history();

  Optional<byte[]> blob(BlobId id) throws StoreException;

  /** The answer that was committed for that key. */
  Optional<String> answered(String key) throws StoreException;

  /** Every now and then, from any thread: what is kept beside the database is brought up to it. */
  default void upkeep() {}

  @Override
  void close();

  /**
   * Unfinished jobs in the order of their ids; attempts without an end are Starting or Completing.
   * {@code gpus}: what was kept of what such attempts were seen to do with theirs.
   */
  record Loaded(
      List<Job> jobs,
      SortedMap<String, String> settings,
      long nextId,
      List<LiveSteps> steps,
      List<LiveLoans> loans,
      List<Change.GpusSeen> gpus) {}

  /** Of an attempt without an end that has had steps: those without an end, and the next number. */
  record LiveSteps(AttemptId attempt, int next, List<Step> running) {}

  /** Of an attempt without an end: its GPUs on loan, and how long it had those that came back. */
  record LiveLoans(AttemptId attempt, Duration before, List<Loan> loans) {}

  /** The disk is full, the file is damaged, …: one line for people. */
  class StoreException extends Exception {
    private static final long serialVersionUID = 1;

    public StoreException(String line) {
      super(line);
    }

    public StoreException(String line, Throwable cause) {
      super(line, cause);
    }
  }
}
