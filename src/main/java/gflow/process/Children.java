package gflow.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;

/**
 * Which of our children we started ourselves. The others are orphans that the kernel gave to us as
 * the subreaper, or belong to {@link ProcessBuilder}, which stays in our own session.
 */
final class Children {
  private static final Set<Long> STARTED = ConcurrentHashMap.newKeySet();

  /** Other jobs may start and end orphans without pause; nobody waits for them for ever. */
  private static final int MOST_LOOKS = 100;

  /** Shared by births and by those who only look; whoever reaps is alone. */
  private static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();

  private static final long SELF = ProcessHandle.current().pid();
  private static final long OUR_SESSION = Proc.stat(SELF).orElseThrow().session();

  private static final AtomicLong REAPED = new AtomicLong();
  private static volatile Glance glance = new Glance(-1, true);

  /** Whether there were orphans when so many had been reaped. */
  private record Glance(long reaped, boolean orphans) {}

  private Children() {}

  /** Starts one child. */
  interface Birth {
    long start() throws SpawnException;
  }

  /**
   * Side by side with others: each birth waits until its program runs. Whoever looks meanwhile may
   * see a child that is not written down yet, and knows it by its environment.
   */
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
    REAPED.incrementAndGet();
  }

  /**
   * Whether a child of ours that was reaped may have left processes, which are ours then. Mostly
   * there are none at all: one look, after the last of them was reaped, answers for all of them.
   */
  static boolean mayHaveLeftOrphans() {
    long reaped = REAPED.get();
    var last = glance;
    if (last.reaped() != reaped) {
      last = new Glance(reaped, !STARTED.containsAll(Proc.adopted(SELF)));
      glance = last;
    }
    return last.orphans();
  }

  /**
   * The living orphans; the dead ones are reaped on the way. One that was dead by the time we came
   * to it may have left us a child after the list was made, so such a list is made again.
   */
  static List<Proc.Stat> orphans() {
    var found = look();
    for (int look = 1; look < MOST_LOOKS && found.reaped() > 0; look++) {
      found = look();
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
          .forEach(orphan -> ProcessTree.addWithDescendants(orphan, found));
      if (!found.isEmpty() || candidates.stream().allMatch(orphan -> orphan.id().alive())) {
        return;
      }
    }
  }

  /** What one look at the orphans found. Never touched are children in our own session. */
  private record Found(List<Proc.Stat> living, int reaped) {}

  private static Found look() {
    var living = new ArrayList<Proc.Stat>();
    var dead = new ArrayList<Long>();
    LOCK.readLock().lock();
    try {
      for (long pid : Proc.adopted(SELF)) {
        if (STARTED.contains(pid)) {
          continue;
        }
        var stat = Proc.stat(pid);
        if (stat.isEmpty() || stat.get().session() == OUR_SESSION) {
          continue;
        }
        if (stat.get().dead()) {
          dead.add(pid);
        } else {
          living.add(stat.get());
        }
      }
    } finally {
      LOCK.readLock().unlock();
    }
    return new Found(living, dead.isEmpty() ? 0 : reap(dead));
  }

  /** By now all children are written down; those who wait for theirs shall have its end. */
  private static int reap(List<Long> dead) {
    LOCK.writeLock().lock();
    try {
      return (int)
          dead.stream()
              .filter(pid -> !STARTED.contains(pid) && Libc.wait4(pid).result() > 0)
              .count();
    } finally {
      LOCK.writeLock().unlock();
    }
  }
}
