package gflow.daemon;

import gflow.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;

/** What the parts of the service share. */
record Desk(
    Loop loop, Store store, Views views, JobFinder finder, InstantSource clock, ZoneId zone) {
  Instant now() {
    return clock.instant();
  }
}
