package gflow.map.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.json.Json;
import gflow.map.results.ItemOutcome;
import gflow.process.Pipe;
import gflow.process.ProcessEnd;
import gflow.process.Stdio;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The user's line that says whether the value of a worker is good; it has it as JSON on stdin. */
final class ValueCheck {
  /** So much fits into any pipe, and nobody waits for who does not read. */
  private static final int AT_ONCE = 4096;

  private final SlotTools tools;
  private final Executor.Done done;
  private final Deadline deadline;
  private Optional<ItemProcess> process = Optional.empty();
  private Optional<ItemOutcome> outcome = Optional.empty();

  /** Of the time of the item some is used. */
  ValueCheck(SlotTools tools, Executor.Done done) {
    this.tools = tools;
    this.done = done;
    deadline =
        new Deadline(tools.care().timeout().map(all -> tools.now().plus(all).minus(done.took())));
  }

  void start(Slot slot, Runnable bell) {
    try {
      process = Optional.of(spawn(slot, bell));
    } catch (IOException e) {
      outcome = Optional.of(new ItemOutcome.Failed(String.valueOf(e.getMessage())));
      bell.run();
    }
  }

  private ItemProcess spawn(Slot slot, Runnable bell) throws IOException {
    String mark = ItemMarks.ofTry(tools.folder(), done.work());
    var log = new Stdio.Own(tools.folder().worker(slot.number()).toString());
    var in = Pipe.make();
    try {
      List<String> line = List.of("/bin/sh", "-c", tools.care().check().orElseThrow());
      byte[] environment = tools.commands().environment(done.work(), slot, mark);
      var value = new Stdio.Open(in.reading());
      return tools.start(tools.commands().spawn(line, environment, value, log, log), mark, bell);
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
  Optional<Executor.Done> ended() {
    Optional<ProcessEnd> how = process.flatMap(ItemProcess::ended);
    if (how.isPresent()) {
      outcome = Optional.of(deadline.ending().orElseGet(() -> judged(how.get())));
    } else {
      deadline.look(tools.now(), tools::timedOut, process);
    }
    return outcome.map(done::with);
  }

  private ItemOutcome judged(ProcessEnd how) {
    ItemOutcome check = ItemOutcome.of(how);
    return check.good() ? done.outcome() : ItemOutcome.rejected(check.cause());
  }

  void abandon() {
    deadline.end(new ItemOutcome.Abandoned(), tools.now(), process);
  }

  Optional<Instant> alarm() {
    return deadline.alarm();
  }
}
