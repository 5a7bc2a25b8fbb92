package gflow.tasks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Puts a prefix before each line of a stream. Lines go out whole, whoever else writes; without a
 * prefix they are as they came, also the last one without an end.
 */
final class LinePrefixer {
  private static final Object ONE_AT_A_TIME = new Object();
  private static final Duration PATIENCE = Duration.ofMillis(200);
  private static final int MOST_LINE = 1 << 16;

  private final byte[] prefix;
  private final OutputStream to;
  private final AtomicLong moved = new AtomicLong();
  private final Thread thread;

  private LinePrefixer(InputStream from, String prefix, OutputStream to) {
    this.prefix = prefix.getBytes(UTF_8);
    this.to = to;
    this.thread = Thread.ofPlatform().daemon().unstarted(() -> copy(from));
  }

  static LinePrefixer start(InputStream from, String prefix, OutputStream to) {
    var label = new LinePrefixer(from, prefix, to);
    label.thread.start();
    return label;
  }

  /** Waits for its end; what a task has left in the background does not hold it up for ever. */
  void drain() throws InterruptedException {
    long before = -1;
    while (!thread.join(PATIENCE) && moved.get() != before) {
      before = moved.get();
    }
  }

  private void copy(InputStream from) {
    var line = new ByteArrayOutputStream();
    var bytes = new byte[1 << 13];
    try (from) {
      for (int count = from.read(bytes); count >= 0; count = from.read(bytes)) {
        for (int i = 0; i < count; i++) {
          if (bytes[i] == '\n' || line.size() == MOST_LINE) {
            write(line, bytes[i] == '\n' || prefix.length > 0);
          }
          if (bytes[i] != '\n') {
            line.write(bytes[i]);
          }
        }
        moved.addAndGet(count);
      }
      if (line.size() > 0) {
        write(line, prefix.length > 0);
      }
    } catch (IOException e) {
      // Nobody reads us any more; the task hears of it when it writes.
    }
  }

  private void write(ByteArrayOutputStream line, boolean end) throws IOException {
    var whole = new ByteArrayOutputStream();
    whole.writeBytes(prefix);
    whole.writeBytes(line.toByteArray());
    if (end) {
      whole.write('\n');
    }
    line.reset();
    synchronized (ONE_AT_A_TIME) {
      to.write(whole.toByteArray());
    }
  }
}
