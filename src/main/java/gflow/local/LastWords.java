package gflow.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;

import gflow.job.TaskState.Cause;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** A job that is ended by others finds the reason in its own output, in Slurm's words. */
final class LastWords {
  static final String TIME_LIMIT = " DUE TO TIME LIMIT";
  private static final Logger LOG = System.getLogger("gflow.local");

  private static final DateTimeFormatter AT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT);

  private LastWords() {}

  static Optional<String> of(Cause cause, String job, String host, Instant now, ZoneId zone) {
    return why(cause, now, zone)
        .map(why -> "gflow: *** JOB " + job + " ON " + host + " " + why + " ***");
  }

  /** The same without the job. */
  static Optional<String> why(Cause cause, Instant now, ZoneId zone) {
    return due(cause).map(due -> cancelled(now, zone, due));
  }

  static String cancelled(Instant at, ZoneId zone, String due) {
    return "CANCELLED AT " + AT.format(at.atZone(zone)) + due;
  }

  /** With the words of Slurm that people look for: a killed program cannot say it itself. */
  static String outOfMemory(String job) {
    return "gflow: error: Detected oom_kill events in job %s. Some of its processes have been"
            .formatted(job)
        + " OOM Killed; ask for more with --mem";
  }

  private static Optional<String> due(Cause cause) {
    return switch (cause) {
      case Cause.ProgramEnded() -> Optional.empty();
      case Cause.Cancelled(String _) -> Optional.of("");
      case Cause.TimeLimit() -> Optional.of(TIME_LIMIT);
      case Cause.GpuMemory(String words) -> Optional.of(" DUE TO GPU MEMORY: " + words);
      case Cause.Requeued(String _, boolean _) -> Optional.of(" DUE TO JOB REQUEUE");
    };
  }

  /** For who runs a part of the job elsewhere, as on a terminal, and says it there. */
  static void leave(Path file, String why) {
    try {
      Files.writeString(file, why + "\n");
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot write " + file + ": " + e.getMessage());
    }
  }

  /** Only into a file: a pipe might have no reader, and we would wait for one. */
  static void write(Path output, String line) {
    try {
      if (Files.isRegularFile(output)) {
        Files.write(output, (line + "\n").getBytes(UTF_8), APPEND);
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot write into " + output + ": " + e.getMessage());
    }
  }
}
