package gflow.daemon;

import gflow.store.Store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What nobody asks for: an eye on the disk, and forgetting what is old. */
final class Housekeeping implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gflow.housekeeping");
  private static final int DISK_SECONDS = 10;
  private static final int FORGET_HOURS = 6;

  private final Desk desk;
  private final Rules rules;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("gflow-housekeeping").daemon().factory());
  private boolean low;

  /** How long history and logs are kept (empty = for ever), and how much disk is kept free. */
  record Rules(
      Path data,
      Path logs,
      long diskFloor,
      Optional<Duration> keepHistory,
      Optional<Duration> keepLogs) {}

  Housekeeping(Desk desk, Rules rules) {
    this.desk = desk;
    this.rules = rules;
  }

  void start() {
    thread.scheduleWithFixedDelay(this::disk, 0, DISK_SECONDS, TimeUnit.SECONDS);
    thread.scheduleWithFixedDelay(this::forget, 1, FORGET_HOURS * 60L, TimeUnit.MINUTES);
  }

  private void disk() {
    boolean nowLow = rules.data().toFile().getUsableSpace() < rules.diskFloor();
    if (nowLow == low) {
      return;
    }
    LOG.log(Level.WARNING, nowLow ? "the disk is nearly full: nothing starts" : "room again");
    try {
      low =
          desk.loop()
              .ask(
                  (core, now) -> {
                    core.diskLow(nowLow);
                    return nowLow;
                  });
    } catch (Refusal e) {
      LOG.log(Level.WARNING, String.valueOf(e.getMessage()));
    }
  }

  private void forget() {
    Instant now = desk.now();
    try {
      if (rules.keepHistory().isPresent()) {
        Instant before = now.minus(rules.keepHistory().get());
        desk.loop().ask((core, at) -> prune(before));
      }
      rules.keepLogs().ifPresent(keep -> forgetLogs(now.minus(keep)));
    } catch (Refusal | UncheckedIOException e) {
      LOG.log(Level.WARNING, "could not forget what is old: " + e.getMessage());
    }
  }

  private int prune(Instant before) throws Refusal {
    try {
      return desk.store().prune(before);
    } catch (StoreException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }

  /** A log that nobody has written to since then. */
  private void forgetLogs(Instant before) {
    try (Stream<Path> logs = Files.walk(rules.logs())) {
      for (Path log : logs.filter(Files::isRegularFile).toList()) {
        if (Files.getLastModifiedTime(log).toInstant().isBefore(before)) {
          Files.deleteIfExists(log);
        }
      }
    } catch (NoSuchFileException e) {
      // No log was written yet.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
