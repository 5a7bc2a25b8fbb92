package gflow.door;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gflow.cli.frame.Invocation;
import gflow.process.Proc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The call that this process was started for by a launcher: what the JVM client runs. Same pid as
 * the launcher, so same key. Makes no native call.
 */
public final class OwnCall {
  private OwnCall() {}

  /** The words are those of main: the launcher's name, then its arguments. */
  public static Invocation of(List<String> words) {
    var called = CalledCommand.of(words.getFirst(), words.subList(1, words.size()));
    int columns = variable("GFLOW_COLUMNS").map(Callers::number).orElse(0);
    return new Callers().own(called, environment(), columns > 0 ? columns : 80);
  }

  /** How many lines of an answer that broke off the launcher has printed before. */
  public static int printed() {
    return variable("GFLOW_PRINTED").map(Callers::number).orElse(0);
  }

  /**
   * As the launcher was given it: it left a copy in an open file without a name, or else changed
   * only the locale. The variable says which descriptor that is; a path is never opened.
   */
  private static byte[] environment() {
    int copy = variable("GFLOW_ENVIRON").map(Callers::number).orElse(0);
    if (copy == 0) {
      return restored(Proc.environ(Proc.self()).orElseThrow());
    }
    try {
      return Files.readAllBytes(Path.of("/proc/self/fd/" + copy));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the copy of the environment", e);
    }
  }

  static byte[] restored(byte[] environment) {
    var kept = new StringBuilder();
    for (String entry : new String(environment, ISO_8859_1).split("\0", -1)) {
      if (entry.startsWith("GFLOW_LC_ALL=")) {
        kept.append(entry.substring("GFLOW_".length())).append('\0');
      } else if (!entry.isEmpty()
          && !entry.startsWith("LC_ALL=")
          && !entry.startsWith("GFLOW_COLUMNS=")
          && !entry.startsWith("GFLOW_PRINTED=")) {
        kept.append(entry).append('\0');
      }
    }
    return kept.toString().getBytes(ISO_8859_1);
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name));
  }
}
