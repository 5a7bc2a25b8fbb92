package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** What a program adds to a file that may have been there before it: all after so many bytes. */
public record FilePart(Path file, long from) {
  /** A line may be as long as the file. */
  private static final int BYTES = 1 << 18;

  /** The end of it; nothing if it cannot be read. */
  public Optional<String> end() {
    try {
      return FileTail.read(file, from, BYTES).map(bytes -> new String(bytes, UTF_8));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
