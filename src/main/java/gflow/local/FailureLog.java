package gflow.local;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Failure;
import gflow.job.GpuFailures;
import gflow.job.JobSpec;
import gflow.job.TaskState.Exited;
import gflow.process.FilePart;
import gflow.script.order.BatchOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a program on GPUs says why it failed: its own part of the files that it writes to. What an
 * earlier attempt has written is none of it, so how long the files were is noted by the names of
 * small files in the attempt's folder. Empty of a program without GPUs.
 */
record FailureLog(Optional<List<FilePart>> parts) {
  static final FailureLog NONE = new FailureLog(Optional.empty());

  private static final String NOTE = "log-";

  /** The files of an attempt that has GPUs; {@code anew}: they are emptied first. */
  record Logs(List<Path> files, boolean anew, AttemptId id, Path folder, boolean none) {
    /** Of one that is about to begin. */
    FailureLog begins(AttemptFolders folders) {
      if (none) {
        return NONE;
      }
      var parts = new ArrayList<FilePart>();
      for (Path file : files) {
        long size = anew ? 0 : file.toFile().length();
        if (size > 0) {
          folders.note(id, NOTE + parts.size() + "-" + size);
        }
        parts.add(new FilePart(file, size));
      }
      return new FailureLog(Optional.of(parts));
    }

    /** Of one that an earlier daemon started. */
    FailureLog goesOn() throws IOException {
      if (none) {
        return NONE;
      }
      var parts = new ArrayList<FilePart>();
      for (Path file : files) {
        parts.add(new FilePart(file, noted(folder, NOTE + parts.size() + "-")));
      }
      return new FailureLog(Optional.of(parts));
    }
  }

  /** Who runs its program elsewhere, as on a terminal, has no log of it. */
  static Logs of(AttemptPaths places, JobSpec spec, Attempt attempt, AttemptId id) {
    boolean none =
        attempt.allocation().gpus().isEmpty() || spec.labels().containsKey(BatchOptions.ALLOCATION);
    List<Path> files =
        Stream.of(places.out(spec, id.task()), places.err(spec, id.task()))
            .flatMap(Optional::stream)
            .distinct()
            .toList();
    boolean anew = id.number() == 1 && !spec.scene().output().append();
    return new Logs(files, anew, id, places.folder(id), none);
  }

  private static long noted(Path folder, String note) throws IOException {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    try (Stream<Path> names = Files.list(folder)) {
      return names
          .map(name -> name.getFileName().toString())
          .filter(name -> name.matches(note + "\\d{1,18}"))
          .mapToLong(name -> Long.parseLong(name.substring(note.length())))
          .max()
          .orElse(0);
    }
  }

  /** Whether it has anything to say of such an end. */
  boolean isAbout(Exited exit) {
    return parts.isPresent() && !exit.exit().ok() && !exit.outOfMemory();
  }

  /** Reads files, which may last. A signal is a cause of its own, a code without a log is none. */
  Exited explained(Exited exit) {
    List<String> said =
        parts.orElse(List.of()).stream().flatMap(part -> part.end().stream()).toList();
    Optional<Failure> cause =
        said.stream().flatMap(log -> GpuFailures.told(log).stream()).findFirst();
    if (cause.isPresent()) {
      return exit.told(cause);
    }
    boolean silent = said.isEmpty() && exit.exit().signal() == 0;
    return silent ? exit.told(Optional.of(Failure.UNKNOWN)) : exit;
  }
}
