package gflow.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Which of our children we started ourselves. The others are orphans that the kernel gave to us as
 * the subreaper, or belong to {@link ProcessBuilder}, which stays in our own session.
 */
final class Children {
  private static final Set<Long> STARTED = ConcurrentHashMap.newKeySet();
  private static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
  private static final long OUR_SESSION =
      Proc.stat(ProcessHandle.current().pid()).orElseThrow().session();

  private Children() {}

  /** Starts one child. */
  interface Birth {
    long start() throws SpawnException;
  }

  /** A child that is born but not yet written down must not be taken for an orphan. */
  static long start(Birth birth) throws SpawnException {
    LOCK.readLock().lock();
    try {
      long pid = birth.start();
      STARTED.add(pid);
      return pid;
    } finally {
      LOCK.readLock().unlock();
    }
  }

  static void reaped(long pid) {
    STARTED.remove(pid);
  }

  /** The living orphans; the dead ones are reaped on the way. */
  static List<Proc.Stat> orphans() {
    return orphans(Set.of()).living();
  }

  /** What one look at the orphans found. */
  record Found(List<Proc.Stat> living, int reaped) {}

  static Found orphans(Set<Long> known) {
    LOCK.writeLock().lock();
    try {
      var living = new ArrayList<Proc.Stat>();
      int reaped = 0;
      for (long pid : Proc.adopted()) {
        if (STARTED.contains(pid) || known.contains(pid)) {
          continue;
        }
        var stat = Proc.stat(pid);
        if (stat.isEmpty() || stat.get().session() == OUR_SESSION) {
          continue;
        }
        if (!stat.get().dead()) {
          living.add(stat.get());
        } else if (Libc.wait4(pid).result() > 0) {
          reaped++;
        }
      }
      return new Found(living, reaped);
    } finally {
      LOCK.writeLock().unlock();
    }
  }
}
