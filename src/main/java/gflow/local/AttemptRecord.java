package gflow.local;

import gflow.job.Exit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What an attempt's record says. Whoever creates it decides whether the attempt runs. */
sealed interface AttemptRecord {
  /** Nobody has created it: the attempt has not started. */
  record Missing() implements AttemptRecord {}

  /** A restarted daemon was first, or a signal: this attempt never ran and never will. */
  record Voided() implements AttemptRecord {}

  /** The wrapper has created it but not written yet, or died just then. */
  record Empty() implements AttemptRecord {}

  record Started(long wrapper, String bootId) implements AttemptRecord {}

  record Finished(long wrapper, String bootId, Exit exit, Optional<Duration> cpuTime, Instant at)
      implements AttemptRecord {}

  static AttemptRecord read(Path file) throws IOException {
    try {
      String text = Files.readString(file, StandardCharsets.US_ASCII);
      return parse(text, Files.getLastModifiedTime(file).toInstant());
    } catch (NoSuchFileException e) {
      return new Missing();
    }
  }

  static AttemptRecord parse(String text, Instant written) {
    if (!text.contains("\n")) {
      return new Empty();
    }
    if (text.startsWith("void")) {
      return new Voided();
    }
    String[] lines = text.split("\n", -1);
    String[] start = lines[0].split(" ", -1);
    long wrapper = Long.parseLong(start[1]);
    int last = lines.length - 2;
    if (lines[last].equals("never")) {
      return new Voided();
    }
    // Without the newline behind it the line is still being written.
    if (last < 1 || !lines[last].startsWith("exit ")) {
      return new Started(wrapper, start[2]);
    }
    Exit exit = Exit.ofShell(Integer.parseInt(lines[last].substring(5)));
    Optional<Duration> cpu = last >= 2 ? Optional.of(cpuTime(lines[last - 1])) : Optional.empty();
    return new Finished(wrapper, start[2], exit, cpu, written);
  }

  /** The second line of the shell's {@code times}: user and system time of all children. */
  private static Duration cpuTime(String line) {
    Duration sum = Duration.ZERO;
    for (String word : line.strip().split("\\s+", -1)) {
      int m = word.indexOf('m');
      // Where sh is bash, it writes the decimal point of the job's language.
      String number = word.substring(m + 1, word.length() - 1).replace(',', '.');
      double seconds = Double.parseDouble(number);
      sum =
          sum.plusMinutes(Long.parseLong(word.substring(0, m)))
              .plusNanos(Math.round(seconds * 1e9));
    }
    return sum;
  }

  /** Takes the attempt out of the world, if it has not started; true if it now never will. */
  static boolean createVoid(Path file) throws IOException {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, "void\n", StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }
}
