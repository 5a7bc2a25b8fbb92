package gflow.local;

import gflow.job.AttemptId;
import gflow.process.AttemptProcesses;
import gflow.process.Cgroups;
import gflow.process.Proc;
import gflow.process.ProcessId;
import gflow.process.ProcessMark;
import gflow.process.RawText;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Finds out what became of an attempt that an earlier daemon was about to start, or started. */
record Adoption(AttemptPaths places, Cgroups cgroups, AttemptMarks marks, String bootId) {
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

  /** What the record and the machine say. */
  sealed interface Found {
    /** It did not run, and never will. */
    record NeverRan(String why) implements Found {}

    /** It ran, or may have, and nothing is left that could tell how it ended. */
    record Lost(String why) implements Found {}

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

  ProcessMark mark(AttemptId id) {
    return marks.of(id);
  }

  /** The group of processes that was made for the attempt, or what is left of it. */
  AttemptProcesses group(AttemptId id, Optional<ProcessId> wrapper) {
    return cgroups.adopt(groupName(id), mark(id), wrapper);
  }

  /**
   * Nobody syncs the record, so after a power cut it may be missing, empty or torn though the
   * attempt ran. What it does say is true.
   */
  private Found lookFromBefore(AttemptId id) throws IOException {
    return switch (AttemptRecord.read(places.record(id))) {
      case AttemptRecord.Missing _, AttemptRecord.Empty _, AttemptRecord.Changed _ -> wentDown();
      case AttemptRecord.Voided _ -> neverStarted();
      case AttemptRecord.Started _, AttemptRecord.Finished _ -> look(id);
    };
  }

  private Found look(AttemptId id) throws IOException {
    return switch (AttemptRecord.read(places.record(id))) {
      case AttemptRecord.Missing() -> lookWithoutRecord(id);
      case AttemptRecord.Voided() -> byWhoLives(id, neverStarted());
      // The wrapper writes right after it has created; if nothing comes, it died in between.
      case AttemptRecord.Empty() ->
          byWhoLives(id, new Found.NeverRan("it was killed before it started"));
      case AttemptRecord.Changed(String how) ->
          byWhoLives(id, new Found.Lost("its record was changed: " + how));
      case AttemptRecord.Started(long pid, String boot) ->
          boot.equals(bootId) ? new Found.Ran(wrapper(id, pid)) : wentDown();
      // Between the last line of its record and its end the wrapper may still be there.
      case AttemptRecord.Finished finished -> new Found.Ran(wrapper(id, finished.wrapper()));
    };
  }

  /**
   * Both folders are made before the wrapper starts, that of the record first. So if only that one
   * is missing, somebody removed it, and the attempt may have run.
   */
  private Found lookWithoutRecord(AttemptId id) throws IOException {
    boolean removed = !Files.exists(places.folder(id)) && Files.exists(places.tmp(id));
    if (!AttemptRecord.createVoid(places.record(id))) {
      return look(id);
    }
    return byWhoLives(id, removed ? new Found.Lost("its folder was removed") : neverStarted());
  }

  private static Found neverStarted() {
    return new Found.NeverRan("the daemon went down before it started");
  }

  private static Found wentDown() {
    return new Found.Lost("the machine went down");
  }

  /** A pid alone may be another's by now, so the process must carry the attempt's mark. */
  private Optional<ProcessId> wrapper(AttemptId id, long pid) {
    return ProcessId.of(pid).filter(ProcessId::alive).filter(p -> mark(id).isOn(p.pid()));
  }

  /**
   * The record does not say that the attempt runs, but a job may have removed, emptied or replaced
   * it: processes with its mark are the proof. A wrapper alone is about to write its first line, or
   * its last one. If it stays alone it only sleeps, and is killed: it would run the program when it
   * wakes.
   */
  private Found byWhoLives(AttemptId id, Found ifNobody) throws IOException {
    AttemptProcesses group = group(id, Optional.empty());
    for (int i = 0; i < 100; i++) {
      List<ProcessId> living = group.members();
      AttemptRecord record = AttemptRecord.read(places.record(id));
      if (record instanceof AttemptRecord.Started || record instanceof AttemptRecord.Finished) {
        return look(id);
      }
      if (living.isEmpty()) {
        return ifNobody;
      }
      if (living.size() > 1 || !isWrapper(id, living.getFirst())) {
        return found(id, living);
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
    if (!group.kill(KILL_PATIENCE)) {
      throw new IOException("its wrapper does not die");
    }
    return byWhoLives(id, ifNobody);
  }

  /** Its own words have the name of its record; a shell that it forked has them too. */
  private boolean isWrapper(AttemptId id, ProcessId process) {
    byte[] record = RawText.bytes(places.record(id).toString());
    return Proc.stat(process.pid()).filter(s -> s.session() == s.pid()).isPresent()
        && Proc.cmdline(process.pid()).stream().anyMatch(word -> Arrays.equals(word, record));
  }

  /** From now on its record says again who it is, and the next daemon need not search. */
  private Found found(AttemptId id, List<ProcessId> living) throws IOException {
    Optional<ProcessId> wrapper = living.stream().filter(p -> isWrapper(id, p)).findFirst();
    if (wrapper.isPresent()) {
      AttemptRecord.addStart(places.record(id), wrapper.get().pid(), bootId);
    }
    return new Found.Ran(wrapper);
  }
}
