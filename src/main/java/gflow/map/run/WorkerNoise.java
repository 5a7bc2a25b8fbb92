package gflow.map.run;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import gflow.process.RawText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the worker of a slot prints that is no answer: it goes to the worker's log, where its stderr
 * goes, and is told of once. One that never stops must not fill the disk.
 */
final class WorkerNoise implements AutoCloseable {
  private static final long MOST = 16 << 20;
  private static final int SHOWN = 100;

  private final Path file;
  private final int slot;
  private final RunLog log;
  private Optional<OutputStream> out = Optional.empty();
  private long written;

  WorkerNoise(Path file, int slot, RunLog log) {
    this.file = file;
    this.slot = slot;
    this.log = log;
  }

  void add(String line) {
    if (written > MOST) {
      return;
    }
    if (written == 0) {
      String start = line.substring(0, Math.min(line.length(), SHOWN));
      log.say("worker %d prints what is no answer: '%s'; it is in its log".formatted(slot, start));
    }
    byte[] bytes = RawText.bytes(line + "\n");
    written += bytes.length;
    try {
      if (out.isEmpty()) {
        out = Optional.of(Files.newOutputStream(file, CREATE, APPEND));
      }
      out.get().write(bytes);
    } catch (IOException e) {
      // A log that cannot be written must not end the work.
    }
    if (written > MOST) {
      log.say("worker %d does not stop with it: the rest is left out".formatted(slot));
    }
  }

  @Override
  public void close() {
    out.ifPresent(WorkerNoise::close);
  }

  private static void close(OutputStream out) {
    try {
      out.close();
    } catch (IOException e) {
      // As above.
    }
  }
}
