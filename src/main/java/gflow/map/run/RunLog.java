package gflow.map.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import gflow.process.RawText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** {@code log/gmap.log}: one line for everything that did not go as it should. */
final class RunLog implements AutoCloseable {
  private final OutputStream out;
  private final InstantSource clock;

  RunLog(Path path, InstantSource clock) throws IOException {
    out = Files.newOutputStream(path, CREATE, APPEND);
    this.clock = clock;
  }

  /** A log that cannot be written must not end the work. */
  synchronized void say(String line) {
    String text = clock.instant().truncatedTo(ChronoUnit.MILLIS) + " " + oneLine(line) + "\n";
    try {
      out.write(text.getBytes(UTF_8));
    } catch (IOException e) {
      // The results say it too.
    }
  }

  private static String oneLine(String text) {
    return new String(RawText.bytes(text), UTF_8).replaceAll("\\p{Cntrl}+", " ");
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
