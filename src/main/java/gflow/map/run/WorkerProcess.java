package gflow.map.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.map.items.LineAssembler;
import gflow.process.Pipe;
import gflow.process.ProcessEnd;
import gflow.process.Spawn;
import gflow.process.Stdio;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that is told lines and says lines. One thread writes and one reads, so that nobody else
 * ever waits for it; threads of the system, because to wait for a pipe holds a virtual one's
 * carrier.
 */
final class WorkerProcess {
  private static final byte[] END = {};
  private static final Duration PAUSE = Duration.ofMillis(2);

  /** What it may have said that nobody has heard yet, in letters; a line itself is some more. */
  private static final int AHEAD = 2 * LineAssembler.LONGEST;

  private static final int LINE = 64;

  /** How long somebody else may hold its stdout when it is gone. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final ItemProcess process;
  private final Runnable bell;
  private final Queue<String> said = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean rung = new AtomicBoolean();
  private final BlockingQueue<byte[]> toTell = new LinkedBlockingQueue<>();
  private final Semaphore ahead = new Semaphore(AHEAD);
  private final InputStream unread;
  private volatile boolean allSaid;
  private volatile long sent;
  private long told;
  private boolean ending;

  /** {@code unread}: the worker's end of what it is told, only to see what it left there. */
  private WorkerProcess(
      ItemProcess process, Runnable bell, InputStream from, OutputStream to, InputStream unread) {
    this.process = process;
    this.bell = bell;
    this.unread = unread;
    Thread.ofPlatform().daemon().name("worker-reader").start(() -> read(from));
    Thread.ofPlatform().daemon().name("worker-writer").start(() -> write(to));
  }

  /** What to start: its words, environment, and where its stderr goes. */
  record Start(List<String> words, byte[] environment, Path log, String mark) {}

  static WorkerProcess start(SlotTools tools, Start start, Runnable bell) throws IOException {
    var in = Pipe.make();
    var out = Pipe.make();
    var log = new Stdio.Own(start.log().toString());
    Spawn spawn =
        tools
            .commands()
            .spawn(
                start.words(),
                start.environment(),
                new Stdio.Open(in.reading()),
                new Stdio.Open(out.writing()),
                log);
    ItemProcess process = null;
    var unread = new FileInputStream("/proc/self/fd/" + in.reading());
    try {
      process = tools.start(spawn, start.mark(), bell);
      return new WorkerProcess(process, bell, out.toRead(), in.toWrite(), unread);
    } finally {
      if (process == null) {
        unread.close();
        in.toWrite().close();
        out.toRead().close();
      }
    }
  }

  private void read(InputStream from) {
    var lines = new LineAssembler('\n', LineAssembler.LONGEST);
    try (from) {
      byte[] part = new byte[1 << 16];
      for (int count = from.read(part); count >= 0; count = from.read(part)) {
        lines.add(part, count, this::say);
      }
    } catch (IOException e) {
      // It is gone, and that is heard otherwise.
    }
    lines.end(this::say);
    allSaid = true;
    bell.run();
  }

  /** One that talks faster than we listen has to wait. */
  private void say(String line) {
    ahead.acquireUninterruptibly(line.length() + LINE);
    said.add(line);
    if (rung.compareAndSet(false, true)) {
      bell.run();
    }
  }

  /** What is there is written at once. */
  private void write(OutputStream to) {
    long total = 0;
    try (to) {
      for (byte[] part = toTell.take(); part != END; part = toTell.take()) {
        total += part.length;
        sent = total;
        to.write(part);
      }
    } catch (IOException e) {
      // It does not listen any more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns how much it was told before. */
  long tell(String line) {
    byte[] bytes = (line + "\n").getBytes(UTF_8);
    toTell.add(bytes);
    told += bytes.length;
    return told - bytes.length;
  }

  /** Whether it has read more than this of what it was told. */
  boolean hasRead(long before) {
    try {
      return sent - unread.available() > before;
    } catch (IOException e) {
      return true;
    }
  }

  /** Before lines are taken: whatever comes from now on is told of again. */
  void listen() {
    rung.set(false);
  }

  /** The next line that it said, if there is one. */
  Optional<String> next() {
    Optional<String> line = Optional.ofNullable(said.poll());
    line.ifPresent(text -> ahead.release(text.length() + LINE));
    return line;
  }

  /** Empty while it lives, or while what it said is not all read. */
  Optional<ProcessEnd> ended() {
    Optional<ProcessEnd> ended = process.ended();
    if (ended.isPresent() && !allSaid && !ending) {
      ending = true;
      Thread.ofVirtual().start(this::hangUp);
    }
    return allSaid && said.isEmpty() ? ended : Optional.empty();
  }

  private void hangUp() {
    LockSupport.parkNanos(LAST_WORDS.toNanos());
    allSaid = true;
    bell.run();
  }

  /** When it is gone: who still writes to it ends. */
  void forget() {
    try {
      unread.close();
    } catch (IOException e) {
      // Nothing was written there.
    }
  }

  /** There are no more items: it shall end by itself. */
  void finish() {
    toTell.add(END);
  }

  ItemProcess process() {
    return process;
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
    forget();
  }
}
