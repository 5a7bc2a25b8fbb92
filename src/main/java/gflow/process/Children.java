package gflow.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Which of our children we started ourselves. The others are orphans that the kernel gave to us as
 * the subreaper, or belong to {@link ProcessBuilder}, which stays in our own session.
 */
final class Children {
  private static final Set<Long> STARTED = ConcurrentHashMap.newKeySet();

  /** Other jobs may start and end orphans without pause; nobody waits for them for ever. */
  private static final int MOST_LOOKS = 100;

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final long SELF = ProcessHandle.current().pid();
  private static final long OUR_SESSION = Proc.stat(SELF).orElseThrow().session();

  private Children() {}

  /** Starts one child. */
  interface Birth {
    long start() throws SpawnException;
  }

  /**
   * One at a time: a child that is born but not yet written down must not be taken for an orphan,
   * and the mark is on all of this process while the child gets it, since it must have it before
   * its first own step.
   */
  static long start(Optional<Mark> mark, Birth birth) throws SpawnException {
    LOCK.lock();
    try {
      mark.ifPresent(m -> m.putOn(SELF));
      long pid = birth.start();
      STARTED.add(pid);
      return pid;
    } finally {
      mark.ifPresent(_ -> Mark.takeOff(SELF));
      LOCK.unlock();
    }
  }

  static void reaped(long pid) {
    STARTED.remove(pid);
  }

  /**
   * The living orphans; the dead ones are reaped on the way. One that was dead by the time we came
   * to it may have left us a child after the list was made, so such a list is made again.
   */
  static List<Proc.Stat> orphans() {
    var found = orphans(Set.of());
    for (int look = 1; look < MOST_LOOKS && found.reaped() > 0; look++) {
      found = orphans(Set.of());
    }
    return found.living();
  }

  /**
   * Adds the orphans that belong somewhere, with their descendants. If none did, but one ended
   * while it was asked, then its child may belong: a program that forks and exits all the time is
   * never missed.
   */
  static void addOrphans(Predicate<Proc.Stat> belongs, Set<ProcessId> found) {
    for (int look = 0; look < MOST_LOOKS; look++) {
      var candidates = orphans();
      candidates.stream()
          .filter(belongs)
          .map(Proc.Stat::id)
          .forEach(orphan -> Tree.addWithDescendants(orphan, found));
      if (!found.isEmpty() || candidates.stream().allMatch(orphan -> orphan.id().alive())) {
        return;
      }
    }
  }

  /** What one look at the orphans found. */
  record Found(List<Proc.Stat> living, int reaped) {}

  static Found orphans(Set<Long> known) {
    LOCK.lock();
    try {
      var living = new ArrayList<Proc.Stat>();
      int reaped = 0;
      for (long pid : Proc.adopted(SELF)) {
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
      LOCK.unlock();
    }
  }
}
