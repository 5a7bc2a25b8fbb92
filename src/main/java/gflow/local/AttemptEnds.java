package gflow.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.job.AttemptId;
import gflow.job.Engine;
import gflow.job.TaskEvent;
import gflow.job.TaskEvent.Blame;
import gflow.job.TaskState.Exited;
import gflow.local.HaltPoints.Point;
import gflow.process.KernelException;
import gflow.process.ProcessEnd;
import gflow.process.ProcessId;
import gflow.process.ProcessWatch;
import gflow.process.SmallFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What becomes of an attempt whose wrapper has ended: how the program ended is told, and then that
 * nothing of it is left. Each end is heard of once, so whatever goes wrong here is tried again.
 *
 * @param mps an attempt with a server is over when that is gone too, which takes a while
 * @param over is called when nothing of an attempt is left, before that is told
 */
record AttemptEnds(
    LocalEngine.Setup setup,
    Engine.Listener listener,
    ProcessWatch watch,
    RetriedWork again,
    MpsUsers mps,
    BiConsumer<AttemptId, RunningAttempt> over) {
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

  private static final int MOST_READS = 20;

  /** {@code ended} is empty of a wrapper that an earlier daemon started. */
  void ended(AttemptId id, RunningAttempt run, Optional<ProcessEnd> ended) {
    again.here("the end of " + id, tries -> programEnded(id, run, ended, tries));
  }

  private void programEnded(AttemptId id, RunningAttempt run, Optional<ProcessEnd> ended, int tries)
      throws IOException {
    setup.halts().pass(Point.BEFORE_RECORD);
    Optional<AttemptRecord> record =
        ProgramEnd.isTold(ended) ? Optional.empty() : Optional.of(record(id, tries));
    ProgramEnd end = ProgramEnd.of(ended, record, run.group().used(), now());
    setup.halts().pass(Point.AFTER_RECORD);
    boolean whole = !mps.has(id) && run.group().isGone();
    switch (end) {
      case ProgramEnd.Ran(var exit) when run.failure().isAbout(exit) -> {
        RetriedWork.Work look = _ -> ran(id, run, explained(id, run, exit), whole);
        // A slow disk holds up nobody else; what ended before we came is told before we go on.
        if (ended.isPresent()) {
          again.apart("to read the log of " + id, look);
        } else {
          look.run(tries);
        }
      }
      case ProgramEnd.Ran(var exit) -> ran(id, run, exit.noted(cause(id)), whole);
      case ProgramEnd.NeverRan() ->
          last(
              id,
              run,
              whole,
              new TaskEvent.NeverRan(
                  Blame.WORLD, "its record or process could not be made", now()));
      case ProgramEnd.Unknown(String why) -> last(id, run, whole, new TaskEvent.Lost(why, now()));
    }
  }

  /** A group says it in words; whatever else is there says nothing. */
  private String cause(AttemptId id) {
    try {
      return SmallFile.read(setup.places().cause(id)) instanceof SmallFile.Content(var text, _)
          ? new String(text, UTF_8).strip().replaceAll("\\p{Cntrl}", " ")
          : "";
    } catch (IOException e) {
      return "";
    }
  }

  private Exited explained(AttemptId id, RunningAttempt run, Exited exit) {
    return mps.explained(id, run.failure().explained(exit.noted(cause(id))));
  }

  private void ran(AttemptId id, RunningAttempt run, Exited exit, boolean whole) {
    if (exit.outOfMemory()) {
      String words = LastWords.outOfMemory(id.task().number().toString());
      run.problems().ifPresent(file -> LastWords.write(file, words));
    }
    if (whole) {
      over.accept(id, run);
    }
    listener.happened(id, new TaskEvent.ProgramEnded(exit, whole));
    if (!whole) {
      watchRest(id, run);
    }
  }

  private AttemptRecord record(AttemptId id, int tries) throws IOException {
    return AttemptRecord.of(read(setup.places().record(id), tries));
  }

  /** What a job may have changed; a disk that does not answer for long will not do so later. */
  static SmallFile read(Path file, int tries) throws IOException {
    try {
      return SmallFile.read(file);
    } catch (KernelException e) {
      if (e.passes() || tries < MOST_READS) {
        throw e;
      }
      return new SmallFile.Strange(e.getMessage());
    }
  }

  /** There is no end of its own that what is left of it could be given time after. */
  private void last(AttemptId id, RunningAttempt run, boolean whole, TaskEvent event) {
    RetriedWork.Work clear =
        _ -> {
          if (!run.group().kill(KILL_PATIENCE)) {
            throw new IOException("some processes do not die");
          }
          over.accept(id, run);
          listener.happened(id, event);
        };
    if (whole) {
      again.here("to clear " + id, clear);
    } else {
      again.apart("to clear " + id, clear);
    }
  }

  /** Looks again whenever one of those left ends. */
  private void watchRest(AttemptId id, RunningAttempt run) {
    again.apart(
        "to watch the rest of " + id,
        _ -> {
          List<ProcessId> left = run.group().members();
          if (!left.isEmpty()) {
            watch.watch(left.getFirst(), _ -> watchRest(id, run));
          } else {
            over.accept(id, run);
            listener.happened(id, new TaskEvent.Gone(now()));
          }
        });
  }

  private Instant now() {
    return setup.clock().instant();
  }
}
