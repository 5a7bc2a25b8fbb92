package gflow.local;

import gflow.job.AttemptId;
import gflow.process.Cgroups;
import gflow.process.Group;
import gflow.process.Mark;
import gflow.process.ProcessId;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Finds out what became of an attempt that an earlier daemon was about to start, or started. */
record Adoption(Places places, Cgroups cgroups, Marks marks, String bootId) {
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

  /** What the record and the machine say. */
  sealed interface Found {
    /** It did not run, and never will. */
    record NeverRan(String why) implements Found {}

    /** The machine went down under it. */
    record Lost() implements Found {}

    /** It ran; the wrapper is there if it still lives. */
    record Ran(Optional<ProcessId> wrapper) implements Found {}
  }

  /** {@code boot}: of the machine, when the start was committed. */
  Found find(AttemptId id, String boot) throws IOException {
    return boot.equals(bootId) ? look(id) : lookFromBefore(id);
  }

  String groupName(AttemptId id) {
    return marks.group(id);
  }

  Mark mark(AttemptId id) {
    return marks.of(id);
  }

  /** The group of processes that was made for the attempt, or what is left of it. */
  Group group(AttemptId id, Optional<ProcessId> wrapper) {
    return cgroups.adopt(groupName(id), mark(id), wrapper);
  }

  /**
   * Nobody syncs the record, so after a power cut it may be missing, empty or torn though the
   * attempt ran. What it does say is true.
   */
  private Found lookFromBefore(AttemptId id) throws IOException {
    try {
      return switch (AttemptRecord.read(places.record(id))) {
        case AttemptRecord.Missing _, AttemptRecord.Empty _ -> new Found.Lost();
        case AttemptRecord.Voided _, AttemptRecord.Started _, AttemptRecord.Finished _ -> look(id);
      };
    } catch (CharacterCodingException | RuntimeException torn) {
      return new Found.Lost();
    }
  }

  private Found look(AttemptId id) throws IOException {
    Path record = places.record(id);
    return switch (AttemptRecord.read(record)) {
      case AttemptRecord.Missing() ->
          AttemptRecord.createVoid(record) ? wentDownBefore() : look(id);
      case AttemptRecord.Voided() -> wentDownBefore();
      case AttemptRecord.Empty() -> awaitFirstLine(id);
      case AttemptRecord.Started(long pid, String boot) ->
          boot.equals(bootId) ? new Found.Ran(wrapper(id, pid)) : new Found.Lost();
      // Between the last line of its record and its end the wrapper may still be there.
      case AttemptRecord.Finished finished -> new Found.Ran(wrapper(id, finished.wrapper()));
    };
  }

  private static Found wentDownBefore() {
    return new Found.NeverRan("the daemon went down before it started");
  }

  /** A pid alone may be another's by now, so the process must carry the attempt's mark. */
  private Optional<ProcessId> wrapper(AttemptId id, long pid) {
    return ProcessId.of(pid).filter(ProcessId::alive).filter(p -> mark(id).isOn(p.pid()));
  }

  /**
   * The wrapper writes right after it has created; if nothing comes, it died in between. One that
   * only sleeps is killed first, for it would run the program when it wakes.
   */
  private Found awaitFirstLine(AttemptId id) throws IOException {
    for (int i = 0; i < 100; i++) {
      if (!isEmpty(id)) {
        return look(id);
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
    try (Group group = group(id, Optional.empty())) {
      group.kill(KILL_PATIENCE);
    }
    return isEmpty(id) ? new Found.NeverRan("it was killed before it started") : look(id);
  }

  private boolean isEmpty(AttemptId id) throws IOException {
    return AttemptRecord.read(places.record(id)) instanceof AttemptRecord.Empty;
  }
}
