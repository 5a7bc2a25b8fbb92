package gflow.map;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.process.Ended;
import gflow.process.Launcher;
import gflow.process.Pipe;
import gflow.process.Spawn;
import gflow.process.SpawnException;
import gflow.process.Stdio;
import gflow.process.Watch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that is told lines and says lines. One thread writes and one reads, so that nobody else
 * ever waits for it; threads of the system, because to wait for a pipe holds a virtual one's
 * carrier.
 */
final class WorkerProcess {
  private static final byte[] END = {};
  private static final int LONGEST_LINE = 64 << 20;
  private static final Duration PAUSE = Duration.ofMillis(2);

  private final ItemProcess process;
  private final Runnable bell;
  private final Queue<String> said = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean rung = new AtomicBoolean();
  private final BlockingQueue<byte[]> toTell = new LinkedBlockingQueue<>();

  private WorkerProcess(ItemProcess process, Runnable bell, InputStream from, OutputStream to) {
    this.process = process;
    this.bell = bell;
    Thread.ofPlatform().daemon().name("worker-reader").start(() -> read(from));
    Thread.ofPlatform().daemon().name("worker-writer").start(() -> write(to));
  }

  /** What to start: its words, environment, folder, and where its stderr goes. */
  record Start(List<String> words, byte[] environment, String folder, Path log, String mark) {}

  static WorkerProcess start(Launcher launcher, Watch watch, Start start, Runnable bell)
      throws SpawnException, IOException {
    var in = Pipe.make();
    var out = Pipe.make();
    var spawn =
        new Spawn(
            start.words(),
            start.environment(),
            start.folder(),
            new Stdio.Open(in.reading()),
            new Stdio.Open(out.writing()),
            new Stdio.Own(start.log().toString()),
            List.of());
    ItemProcess process = null;
    try {
      process = ItemProcess.start(launcher, watch, spawn, start.mark(), bell);
      return new WorkerProcess(process, bell, out.toRead(), in.toWrite());
    } finally {
      if (process == null) {
        in.toWrite().close();
        out.toRead().close();
      }
    }
  }

  private void read(InputStream from) {
    try (var lines = new BufferedReader(new InputStreamReader(from, UTF_8), 1 << 16)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.add(line.length() > LONGEST_LINE ? "" : line);
        if (rung.compareAndSet(false, true)) {
          bell.run();
        }
      }
    } catch (IOException e) {
      // It is gone, and that is heard otherwise.
    }
  }

  /** What is there is written at once. */
  private void write(OutputStream to) {
    try (to) {
      for (byte[] part = toTell.take(); part != END; part = toTell.take()) {
        to.write(part);
      }
    } catch (IOException e) {
      // It does not listen any more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void tell(String line) {
    toTell.add((line + "\n").getBytes(UTF_8));
  }

  /** Before lines are taken: whatever comes from now on is told of again. */
  void listen() {
    rung.set(false);
  }

  /** The next line that it said, if there is one. */
  Optional<String> next() {
    return Optional.ofNullable(said.poll());
  }

  /** Empty while it lives, or while it has said what nobody has read. */
  Optional<Ended> ended() {
    return said.isEmpty() ? process.ended() : Optional.empty();
  }

  /** There are no more items: it shall end by itself. */
  void finish() {
    toTell.add(END);
  }

  void term() {
    process.term();
  }

  void kill() {
    process.kill();
  }

  /** Waits until nothing of it is left; kills it after a while. */
  void end(Duration patience) {
    finish();
    long end = System.nanoTime() + patience.toNanos();
    while (process.ended().isEmpty() && System.nanoTime() < end) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    if (process.ended().isEmpty()) {
      process.kill();
    }
    while (process.ended().isEmpty() && System.nanoTime() < end + patience.toNanos()) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
