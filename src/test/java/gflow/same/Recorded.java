package gflow.same;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The recorded answers of the real Slurm, a text file for each case. */
final class Recorded {
  private static final Path FOLDER = Case.HOME.resolve("answers");

  private Recorded() {}

  static Answer of(Case one) {
    try {
      return Answer.parse(Files.readString(file(one.name())));
    } catch (IOException e) {
      throw new UncheckedIOException("no answer of a real Slurm for this case: make record", e);
    }
  }

  static void write(String name, Answer answer) {
    try {
      Files.writeString(file(name), answer.text());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path file(String name) {
    return FOLDER.resolve(name + ".txt");
  }
}
