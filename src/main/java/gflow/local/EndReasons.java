package gflow.local;

import gflow.job.TaskState.Cause;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Why an attempt must end, in Slurm's words, written down for who is its program's parent. */
final class EndReasons {
  private static final Logger LOG = System.getLogger("gflow.local");

  private EndReasons() {}

  /** The first time counts: after a crash of the daemon it may be said again. */
  static void write(Path file, Cause cause, Instant now) {
    Optional<String> line = words(cause, LocalDateTime.ofInstant(now, ZoneId.systemDefault()));
    try {
      if (line.isPresent()) {
        Files.writeString(file, line.get() + "\n", StandardOpenOption.CREATE_NEW);
      }
    } catch (FileAlreadyExistsException e) {
      // It stands there.
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot write " + file + ": " + e.getMessage());
    }
  }

  static Optional<String> words(Cause cause, LocalDateTime now) {
    String at = "CANCELLED AT " + now.truncatedTo(ChronoUnit.SECONDS);
    return switch (cause) {
      case Cause.ProgramEnded() -> Optional.empty();
      case Cause.Cancelled _ -> Optional.of(at);
      case Cause.TimeLimit() -> Optional.of(at + " DUE TO TIME LIMIT");
      case Cause.Requeued _ -> Optional.of(at + " DUE TO JOB REQUEUE");
    };
  }
}
