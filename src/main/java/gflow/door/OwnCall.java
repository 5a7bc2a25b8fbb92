package gflow.door;

import gflow.cli.frame.Invocation;
import gflow.process.Proc;
import gflow.script.env.Environment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The call that this process was started for by a launcher: what the JVM client runs. Same pid as
 * the launcher, so same key. Makes no native call.
 */
public final class OwnCall {
  /** What the launcher has set itself, and where it has saved what was there. */
  private static final Set<String> LAUNCHERS = Set.of("LC_ALL", "GFLOW_COLUMNS", "GFLOW_PRINTED");

  private static final String SAVED = "GFLOW_LC_ALL=";

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
    var theirs = Environment.of(environment).keep(name -> !LAUNCHERS.contains(name));
    return new Environment(
            theirs.entries().stream()
                .map(entry -> entry.startsWith(SAVED) ? entry.substring("GFLOW_".length()) : entry)
                .toList())
        .block();
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name));
  }
}
