package gflow.daemon.service;

import gflow.daemon.core.JobFinder;
import gflow.daemon.core.Loop;
import gflow.daemon.core.Refusal;
import gflow.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;

/** What the parts of the service share. */
public record ServiceContext(
    Loop loop, Store store, Views views, JobFinder finder, InstantSource clock, ZoneId zone) {
  public Instant now() {
    return clock.instant();
  }

  /**
   * Forgets what ended before that time, some of it in one piece of work: the store's writer is the
   * loop's thread, and everybody else's work has its turn in between.
   */
  public int prune(Instant before) throws Refusal {
    int jobs = 0;
    Store.Pruned some;
    do {
      some = loop.askApart((core, now) -> Refusal.stored(() -> store.prune(before)));
      jobs += some.jobs();
    } while (some.more());
    return jobs;
  }
}
