package gflow.api;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Errors of ours, each contained in the request that met it: the caller is told a number, under
 * which the log has the stack. For any thread.
 */
public final class ContainedBugs {
  private static final System.Logger LOG = System.getLogger("gflow.bugs");

  /** What to do about one. */
  public static final String REMEDY = "look for it in gflowd.log, and please report it";

  private final AtomicInteger count = new AtomicInteger();
  private final Consumer<String> problem;

  /** {@code problem} hears in one line that there are some. */
  public ContainedBugs(Consumer<String> problem) {
    this.problem = problem;
  }

  /** Returns the line for who asked. */
  public String contain(String what, Throwable bug) {
    int all = count.incrementAndGet();
    String error = "internal error " + ProcessHandle.current().pid() + "-" + all;
    LOG.log(Level.ERROR, error + " in " + what, bug);
    problem.accept((all == 1 ? "" : all + " internal errors, the last: ") + error + " in " + what);
    return error + ": " + REMEDY;
  }
}
