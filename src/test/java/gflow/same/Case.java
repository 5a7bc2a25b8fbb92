package gflow.same;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A small script, and how it is called: a line {@code #run COMMAND} for each command, or {@code
 * sbatch job.sh} if there is none. Its first comment says what it is about.
 */
record Case(String name, String text) {
  static final Path HOME = Path.of("src/test/slurm");
  private static final String RUN = "#run ";

  /** What can run beside what. */
  enum Lane {
    /** It has nothing that others could take from it. */
    BESIDE,
    /** It says which GPUs it got: one at a time. */
    GPUS,
    /** It fills the machine, or looks at the queue. */
    ALONE
  }

  static List<Case> all() {
    try (Stream<Path> files = Files.list(HOME.resolve("cases"))) {
      return files.filter(f -> f.toString().endsWith(".sh")).sorted().map(Case::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Case read(Path file) {
    try {
      return new Case(
          file.getFileName().toString().replaceFirst("\\.sh$", ""), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String title() {
    return text.lines()
        .filter(line -> line.startsWith("# "))
        .map(line -> line.substring(2))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + ": no comment says what it is about"));
  }

  Lane lane() {
    if (text.lines().anyMatch("#alone"::equals)) {
      return Lane.ALONE;
    }
    return text.matches("(?s).*(gpu|gres|GPU).*") ? Lane.GPUS : Lane.BESIDE;
  }

  /** What bash runs in the folder of the case. */
  String calls() {
    List<String> lines =
        text.lines().filter(l -> l.startsWith(RUN)).map(l -> l.substring(RUN.length())).toList();
    return lines.isEmpty() ? "sbatch job.sh" : String.join("\n", lines);
  }
}
