package gflow.daemon;

import gflow.api.Bugs;
import gflow.config.Config;
import gflow.job.Job;
import gflow.script.Sizes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
  private final LogFiles logs;
  private final Rules rules;
  private final Problems problems;
  private final Bugs bugs;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("gflow-housekeeping").daemon().factory());
  private boolean low;

  /** How long history and logs are kept (empty = for ever), and how much disk is kept free. */
  record Rules(
      Path data, Path logs, long diskFloor, Optional<Duration> keepHistory, Config.Log log) {}

  Housekeeping(Desk desk, LogFiles logs, Rules rules, Problems problems, Bugs bugs) {
    this.desk = desk;
    this.logs = logs;
    this.rules = rules;
    this.problems = problems;
    this.bugs = bugs;
  }

  void start() {
    each(DISK_SECONDS, 0, this::disk);
    if (rules.log().maxSize().isPresent()) {
      long most = rules.log().maxSize().getAsLong();
      each(DISK_SECONDS, DISK_SECONDS, () -> cutLogs(most));
    }
    each(FORGET_HOURS * 3600L, 60, this::forget);
  }

  /** What failed once is tried the next time: the executor itself would never run it again. */
  private void each(long seconds, long first, Runnable care) {
    Runnable contained =
        () -> {
          try {
            care.run();
          } catch (RuntimeException e) {
            bugs.contain("housekeeping", e);
          }
        };
    var _ = thread.scheduleWithFixedDelay(contained, first, seconds, TimeUnit.SECONDS);
  }

  private void disk() {
    long free = rules.data().toFile().getUsableSpace();
    boolean nowLow = free < rules.diskFloor();
    if (nowLow) {
      problems.report(
          "disk",
          "the disk is nearly full: only %s left in %s, and nothing starts below %s"
              .formatted(Sizes.rounded(free), rules.data(), Sizes.rounded(rules.diskFloor())));
    } else {
      problems.solved("disk");
    }
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

  /** A runaway program must not fill the disk: its log starts anew, and says so. */
  private void cutLogs(long most) {
    try {
      for (Path log : desk.loop().look(this::ownLogs)) {
        if (Files.exists(log) && Files.size(log) > most) {
          LOG.log(Level.WARNING, "cut " + log + ", which had grown over " + most + " bytes");
          Files.writeString(
              log,
              "[gflow: what stood here was cut, the log was over " + most + " bytes]\n",
              StandardOpenOption.TRUNCATE_EXISTING);
        }
      }
    } catch (Refusal | IOException e) {
      LOG.log(Level.WARNING, "could not look at the logs: " + e.getMessage());
    }
  }

  private List<Path> ownLogs(Core core) {
    var own = new ArrayList<Path>();
    for (var holding : core.ledger().holdings()) {
      Optional<Job> job = core.ledger().job(holding.task().job());
      job.filter(j -> j.spec().scene().output().out().isEmpty())
          .flatMap(j -> logs.out(j, holding.task().offset()))
          .ifPresent(own::add);
    }
    return own;
  }

  private void forget() {
    Instant now = desk.now();
    try {
      if (rules.keepHistory().isPresent()) {
        desk.prune(now.minus(rules.keepHistory().get()));
      }
      rules.log().keep().ifPresent(keep -> forgetLogs(now.minus(keep)));
    } catch (Refusal | UncheckedIOException e) {
      LOG.log(Level.WARNING, "could not forget what is old: " + e.getMessage());
    }
  }

  /** A log that nobody has written to since then. */
  private void forgetLogs(Instant before) {
    try (Stream<Path> all = Files.walk(rules.logs())) {
      for (Path log : all.filter(Files::isRegularFile).toList()) {
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
