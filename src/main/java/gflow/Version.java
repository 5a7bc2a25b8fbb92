package gflow;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version of this program, written into the jar by the build. */
final class Version {
  private Version() {}

  static String text() {
    try (InputStream file = Version.class.getResourceAsStream("version.txt")) {
      return file == null
          ? "unpacked"
          : new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
