package gflow.map.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.json.Json;
import gflow.map.results.ItemOutcome;
import gflow.map.results.MapFolder;
import gflow.process.Launcher;
import gflow.process.Pipe;
import gflow.process.ProcessEnd;
import gflow.process.ProcessWatch;
import gflow.process.Spawn;
import gflow.process.Stdio;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The user's line that says whether the value of a worker is good; it has it as JSON on stdin. */
final class ValueCheck {
  /** So much fits into any pipe, and nobody waits for who does not read. */
  private static final int AT_ONCE = 4096;

  /** What all checks of a slot share; {@code log} is for what they print. */
  record Tools(
      Launcher launcher,
      ProcessWatch watch,
      MapFolder folder,
      CommandBuilder wording,
      String line,
      SlotBoard.Slot slot,
      Path log) {}

  private final Executor.Done done;
  private final Optional<Duration> timeout;
  private Optional<ItemProcess> process = Optional.empty();
  private Optional<ItemOutcome> outcome = Optional.empty();
  private Optional<Instant> alarm;

  /** {@code timeout}: of the item, which has used some of it. */
  ValueCheck(Executor.Done done, Optional<Duration> timeout, Instant now) {
    this.done = done;
    this.timeout = timeout;
    alarm = timeout.map(all -> now.plus(all).minus(done.took()));
  }

  void start(Tools tools, Runnable bell) {
    try {
      process = Optional.of(spawn(tools, bell));
    } catch (IOException e) {
      outcome = Optional.of(new ItemOutcome.Failed(String.valueOf(e.getMessage())));
      bell.run();
    }
  }

  private ItemProcess spawn(Tools tools, Runnable bell) throws IOException {
    String mark = ItemMarks.ofTry(tools.folder(), done.work());
    var log = new Stdio.Own(tools.log().toString());
    var in = Pipe.make();
    try {
      var spawn =
          new Spawn(
              List.of("/bin/sh", "-c", tools.line()),
              tools.wording().environment(done.work(), tools.slot().gpu(), mark),
              tools.wording().folder(),
              new Stdio.Open(in.reading()),
              log,
              log,
              List.of());
      return ItemProcess.start(tools.launcher(), tools.watch(), spawn, mark, bell);
    } finally {
      tell(in.toWrite());
    }
  }

  private void tell(OutputStream to) {
    byte[] line = (Json.text(value()) + "\n").getBytes(UTF_8);
    if (line.length <= AT_ONCE) {
      write(to, line);
    } else {
      Thread.ofPlatform().daemon().name("check-writer").start(() -> write(to, line));
    }
  }

  private @Nullable Object value() {
    return done.outcome() instanceof ItemOutcome.Value(Object tree) ? tree : null;
  }

  private static void write(OutputStream to, byte[] line) {
    try (to) {
      to.write(line);
    } catch (IOException e) {
      // It does not want to know.
    }
  }

  /** What came of the item, once that is known. */
  Optional<Executor.Done> ended(Instant now, Duration grace) {
    Optional<ProcessEnd> how = process.flatMap(ItemProcess::ended);
    if (how.isPresent()) {
      outcome = Optional.of(outcome.orElseGet(() -> judged(how.get())));
    } else if (alarm.filter(at -> !at.isAfter(now)).isPresent()) {
      expire(now, grace);
    }
    return process.isEmpty() || how.isPresent() ? outcome.map(done::with) : Optional.empty();
  }

  private ItemOutcome judged(ProcessEnd how) {
    if (how.signal().isPresent()) {
      return ItemOutcome.rejected("signal " + how.signal().getAsInt());
    }
    int code = how.exitCode().orElse(1);
    return code == 0 ? done.outcome() : ItemOutcome.rejected("exit code " + code);
  }

  private void expire(Instant now, Duration grace) {
    if (outcome.isPresent()) {
      alarm = Optional.empty();
      process.ifPresent(ItemProcess::kill);
    } else {
      finish(ItemOutcome.timedOut(timeout.orElseThrow()), now.plus(grace));
    }
  }

  /** Whatever it says from now on, that was it; killed if it goes on until then. */
  private void finish(ItemOutcome last, Instant kill) {
    outcome = Optional.of(last);
    alarm = Optional.of(kill);
    process.ifPresent(ItemProcess::term);
  }

  void abandon(Instant kill) {
    finish(new ItemOutcome.Abandoned(), kill);
  }

  Optional<Instant> alarm() {
    return alarm;
  }
}
