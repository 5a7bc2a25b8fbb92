package gflow.daemon.core;

import gflow.job.Ranges;
import gflow.plan.Holding;
import java.util.Collection;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * Gives each attempt a port of its own. Who has which follows from what runs, so that it is the
 * same after a restart.
 *
 * @param range those that may be given out
 * @param isFree whether nobody outside listens there
 */
public record Ports(Ranges range, IntPredicate isFree) {
  /** Nobody gets any. */
  public static final Ports NONE = new Ports(Ranges.EMPTY, _ -> false);

  /** So many are asked for at the kernel at most; others that are in use are only counted. */
  private static final int TRIES = 20;

  /**
   * The next one from a place that depends on the number, so that one is not used again soon; 0 if
   * there is none.
   */
  int next(long number, Collection<Holding> holdings) {
    var taken = new TreeSet<Integer>();
    holdings.forEach(holding -> taken.addAll(holding.ports()));
    int size = range.size();
    int tries = 0;
    for (int i = 0; i < size && tries < TRIES; i++) {
      int port = range.get((int) ((number + i) % size));
      if (!taken.contains(port)) {
        if (isFree.test(port)) {
          return port;
        }
        tries++;
      }
    }
    return 0;
  }

  /** Without those that the kernel gives to whoever does not care, if that leaves any. */
  public static Ranges outside(Ranges range, Ranges kernels) {
    Ranges left = range.minus(kernels);
    return left.isEmpty() ? range : left;
  }
}
