package gflow.daemon.upkeep;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How fast the logs of running jobs grow, so that the next look comes before one could be far over
 * its bound: a program may write a gigabyte in two seconds, and most write nothing for hours.
 */
final class LogGrowth {
  static final Duration SELDOM = Duration.ofSeconds(10);

  /** One that has just begun may be any of them. */
  private static final Duration USUAL = Duration.ofSeconds(1);

  private static final Duration OFTEN = Duration.ofMillis(50);

  /** After the start of a job. */
  static final Duration FIRST = Duration.ofMillis(250);

  private record Seen(long size, long at) {}

  private final long most;
  private Map<Path, Seen> seen = new TreeMap<>();
  private Duration next = USUAL;

  LogGrowth(long most) {
    this.most = most;
  }

  long most() {
    return most;
  }

  /** Returns those over the bound, which are cut now. */
  List<Path> look(List<Path> logs, long nanos) {
    var over = new ArrayList<Path>();
    var now = new TreeMap<Path, Seen>();
    next = USUAL;
    for (Path log : logs) {
      long size = log.toFile().length();
      Seen before = seen.getOrDefault(log, new Seen(0, nanos - USUAL.toNanos()));
      double rate = (double) (size - before.size()) / Math.max(1, nanos - before.at());
      if (size > most) {
        over.add(log);
        size = 0;
      }
      if (rate > 0) {
        soon(Duration.ofNanos((long) ((most - size) / rate)));
      }
      now.put(log, new Seen(size, nanos));
    }
    seen = now;
    return over;
  }

  private void soon(Duration full) {
    Duration wanted = full.compareTo(OFTEN) < 0 ? OFTEN : full;
    next = wanted.compareTo(next) < 0 ? wanted : next;
  }

  Duration next(boolean anyRuns) {
    return anyRuns ? next : SELDOM;
  }
}
