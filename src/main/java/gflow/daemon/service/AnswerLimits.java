package gflow.daemon.service;

import gflow.api.Answer;
import gflow.api.JobView;
import gflow.daemon.core.Refusal;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * How long an answer may be, and how many jobs may wait. The jobs of all need the daemon, so no
 * question may take the memory that it lives on: neither one for a million rows, nor many at once
 * for many.
 */
public final class AnswerLimits {
  private static final int MOST = 100_000;

  private static final int LOOK_EVERY = 1000;
  private static final int BYTES_OF_A_ROW = 2000;

  private static final int LONG_TEXT = 50_000;

  private static final String NARROWER =
      "narrow it by job, user, name, state or time, or set a limit (gqueue --limit)";

  private final int most;
  private final LongSupplier free;
  private final long keptFree;
  private long surelyFree;

  public AnswerLimits(int most, LongSupplier free, long keptFree) {
    this.most = most;
    this.free = free;
    this.keptFree = keptFree;
  }

  public static AnswerLimits ofThisProcess() {
    long heap = Runtime.getRuntime().maxMemory();
    return new AnswerLimits(MOST, AnswerLimits::freeHeap, heap / 4);
  }

  private static long freeHeap() {
    Runtime now = Runtime.getRuntime();
    return now.maxMemory() - now.totalMemory() + now.freeMemory();
  }

  int most() {
    return most;
  }

  /**
   * Asked before jobs are taken in that weigh so much, with all that is made of them on the way.
   */
  void checkJobs(int jobs, long bytes) throws Refusal {
    if (scarce(bytes)) {
      throw new Refusal(
          "gflowd has too little memory for "
              + jobs
              + " more waiting jobs: submit fewer at a time, make them one array, or give it more,"
              + " as in GFLOW_JAVA_OPTIONS=-Xmx1g gflowd restart");
    }
  }

  /** Asked while a list of jobs grows; the tasks of one row can take a million numbers to name. */
  void check(int before, List<JobView> rows) throws Refusal {
    for (JobView row : rows.subList(before, rows.size())) {
      if (row.arrayTasks() != null && row.arrayTasks().length() > LONG_TEXT) {
        look(2L * row.arrayTasks().length());
      }
    }
    check(before, rows.size());
  }

  /** Asked while an answer grows from so many rows to so many. */
  void check(int before, int rows) throws Refusal {
    if (rows > most) {
      throw new Refusal(Answer.Kind.USAGE, "the list has more than " + most + " rows: " + NARROWER);
    }
    if (rows / LOOK_EVERY > before / LOOK_EVERY) {
      look((long) LOOK_EVERY * BYTES_OF_A_ROW);
    }
  }

  private void look(long bytes) throws Refusal {
    if (scarce(bytes)) {
      throw new Refusal(
          Answer.Kind.USAGE,
          "gflowd has too little memory left for so long a list: try again, or " + NARROWER);
    }
  }

  /** To collect garbage stops everybody, so what it has shown to be free is given out first. */
  private synchronized boolean scarce(long bytes) {
    if (free.getAsLong() - keptFree >= bytes) {
      surelyFree = 0;
      return false;
    }
    if (surelyFree < bytes) {
      // What fills the memory may be of answers that were given long ago.
      System.gc();
      surelyFree = free.getAsLong() - keptFree;
    }
    surelyFree -= bytes;
    return surelyFree < 0;
  }
}
