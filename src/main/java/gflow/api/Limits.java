package gflow.api;

import java.time.Duration;

/** What one client may take from the others. */
record Limits(Duration idle, Duration keepAlive, int body) {
  static final Limits DEFAULT = new Limits(Duration.ofMinutes(1), Duration.ofSeconds(15), 64 << 20);
}
