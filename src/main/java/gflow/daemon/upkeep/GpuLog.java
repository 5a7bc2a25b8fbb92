package gflow.daemon.upkeep;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.gpu.GpuReading;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Writes what the GPUs of jobs do into the files that the jobs named, as CSV: one row for each GPU
 * and look, figures as nvidia-smi has them. In a thread of its own, because a file may be on a disk
 * that hangs, and the look at the GPUs must not.
 */
final class GpuLog implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gflow.gpu");
  private static final String HEADER =
      "time,gpu,utilization_percent,memory_mib,temperature_c,power_w,job\n";
  private static final int MIB = 20;
  private static final int MOST_BEHIND = 100;

  private final ExecutorService thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MOST_BEHIND),
          Thread.ofPlatform().name("gflow-gpu-log").daemon().factory(),
          new ThreadPoolExecutor.DiscardPolicy());

  /** A row's GPU by its number, and what was read of it. */
  record Figures(int gpu, GpuReading reading) {}

  void write(Path file, List<Figures> gpus, String job, Instant at) {
    thread.execute(() -> append(file, gpus, job, at));
  }

  private static void append(Path file, List<Figures> gpus, String job, Instant at) {
    try {
      // A FIFO might have no reader, and we would wait for one.
      boolean there = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
      if (there && !Files.isRegularFile(file)) {
        throw new IOException("it is no plain file");
      }
      var text = new StringBuilder(there && Files.size(file) > 0 ? "" : HEADER);
      gpus.forEach(one -> text.append(row(one, job, at)));
      Files.write(
          file,
          text.toString().getBytes(UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot write " + file + ": " + e.getMessage());
    }
  }

  /** What the driver does not tell stays empty. */
  static String row(Figures one, String job, Instant at) {
    GpuReading r = one.reading();
    return String.join(
            ",",
            at.truncatedTo(ChronoUnit.MILLIS).toString(),
            Integer.toString(one.gpu()),
            r.utilization().isPresent() ? "" + r.utilization().getAsInt() : "",
            r.memoryUsed().isPresent() ? "" + (r.memoryUsed().getAsLong() >> MIB) : "",
            r.temperature().isPresent() ? "" + r.temperature().getAsInt() : "",
            r.powerWatts().map(w -> String.format(Locale.ROOT, "%.1f", w)).orElse(""),
            job)
        + "\n";
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
