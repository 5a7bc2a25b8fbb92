package gflow.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gflow.job.Exit;
import gflow.process.SmallFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an attempt's record says. Whoever creates it decides whether the attempt runs. */
sealed interface AttemptRecord {
  String NOT_OURS = "not what its wrapper wrote";
  Pattern TIME = Pattern.compile("(\\d{1,9})m(\\d{1,9}(?:\\.\\d{0,9})?)s");

  /** Nobody has created it: the attempt has not started. */
  record Missing() implements AttemptRecord {}

  /** A restarted daemon was first, or a signal: this attempt never ran and never will. */
  record Voided() implements AttemptRecord {}

  /** The wrapper has created it but not written yet, or died just then. */
  record Empty() implements AttemptRecord {}

  record Started(long wrapper, String bootId) implements AttemptRecord {}

  record Finished(long wrapper, String bootId, Exit exit, Optional<Duration> cpuTime, Instant at)
      implements AttemptRecord {}

  /** The job itself has changed it, or put something else there: it says nothing that counts. */
  record Changed(String how) implements AttemptRecord {}

  /** An exception says that what is there could not be read now. */
  static AttemptRecord read(Path file) throws IOException {
    return of(SmallFile.read(file));
  }

  static AttemptRecord of(SmallFile file) {
    return switch (file) {
      case SmallFile.Missing() -> new Missing();
      case SmallFile.Strange(String how) -> new Changed(how);
      case SmallFile.Content(byte[] text, Instant at) -> parse(new String(text, ISO_8859_1), at);
    };
  }

  /**
   * Any text has a meaning: a job may have emptied its record or written into it, and what its
   * wrapper adds at the end still counts. Without the newline behind it a line is still being
   * written.
   */
  static AttemptRecord parse(String text, Instant written) {
    List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    if (lines.isEmpty()) {
      return "start ".regionMatches(0, text, 0, Math.min(6, text.length()))
          ? new Empty()
          : new Changed(NOT_OURS);
    }
    if (lines.getLast().equals("never") || lines.equals(List.of("void"))) {
      return new Voided();
    }
    var start = new Started(0, "");
    Optional<Finished> end = Optional.empty();
    Optional<Duration> times = Optional.empty();
    for (String line : lines) {
      if (line.matches("start \\d{1,18} \\S+")) {
        String[] words = line.split(" ", -1);
        start = new Started(Long.parseLong(words[1]), words[2]);
      } else if (line.matches("exit \\d{1,3}")) {
        Exit exit = Exit.ofShell(Integer.parseInt(line.substring(5)));
        end = Optional.of(new Finished(start.wrapper(), start.bootId(), exit, times, written));
      } else {
        times = cpuTime(line);
      }
    }
    return end.<AttemptRecord>map(e -> e)
        .orElse(start.wrapper() > 0 ? start : new Changed(NOT_OURS));
  }

  /** The second line of the shell's {@code times}: user and system time of all children. */
  static Optional<Duration> cpuTime(String line) {
    Duration sum = Duration.ZERO;
    for (String word : line.strip().split("\\s+", -1)) {
      // Where sh is bash, it writes the decimal point of the job's language.
      Matcher time = TIME.matcher(word.replace(',', '.'));
      if (!time.matches()) {
        return Optional.empty();
      }
      sum =
          sum.plusMinutes(Long.parseLong(time.group(1)))
              .plusNanos(Math.round(Double.parseDouble(time.group(2)) * 1e9));
    }
    return Optional.of(sum);
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

  /** Says who runs the attempt, where the record does not say it any more. */
  static void addStart(Path file, long wrapper, String bootId) throws IOException {
    SmallFile.append(file, ("start " + wrapper + " " + bootId + "\n").getBytes(ISO_8859_1));
  }
}
