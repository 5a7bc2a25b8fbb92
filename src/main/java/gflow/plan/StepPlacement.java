package gflow.plan;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuId;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.Step;
import gflow.job.StepRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Which part of its job a step may have now; the rules are Slurm's, of version 24.11. */
public final class StepPlacement {
  private final Allocation allocation;
  private final Request job;
  private final int cpus;
  private final List<Step> counted;

  /** What the planner says of one step. */
  public sealed interface Verdict {
    record Fits(Step.Share share) implements Verdict {}

    /** {@code instead}: options with which it would run at once; empty if nothing helps. */
    record Waits(String why, List<String> instead) implements Verdict {
      public Waits {
        instead = List.copyOf(instead);
      }
    }

    /** In Slurm's words; {@code detail} is a line that comes before them, or empty. */
    record Never(String why, String detail) implements Verdict {}
  }

  private StepPlacement(Allocation allocation, Request job, List<Step> running) {
    this.allocation = allocation;
    this.job = job;
    // A GPU job may count no CPU in the books; Slurm gives each job one for each task.
    cpus = Math.max(Math.max(1, job.cpus()), job.ntasks());
    counted = running.stream().filter(step -> !step.overlap()).toList();
  }

  /** Judges a step of a job that has this allocation, of which others run already. */
  public static Verdict fit(
      Allocation allocation, Request job, List<Step> running, StepRequest step) {
    return new StepPlacement(allocation, job, running).fit(step);
  }

  private Verdict fit(StepRequest step) {
    return never(step).<Verdict>map(n -> n).orElseGet(() -> step.overlap() ? all(step) : now(step));
  }

  // ---- what can never be ----

  private Optional<Verdict.Never> never(StepRequest step) {
    if (step.cpus() > cpus) {
      return Optional.of(new Verdict.Never("More processors requested than permitted", ""));
    }
    if (step.gpus() instanceof StepRequest.Gpus.Count(int n, Optional<String> type)
        && n > 0
        && type.isPresent()
        && !type.get().equalsIgnoreCase(job.filter().type().orElse(""))) {
      return Optional.of(
          badGres("Step requested GRES (gpu:" + type.get() + ") not found in the job"));
    }
    int has = allocation.gpus().size();
    if (gpus(step) > has) {
      return Optional.of(
          badGres(
              "Step requested gres_per_node=gpu:%d is more than the job's gres_per_node=gpu:%d"
                  .formatted(gpus(step), has)));
    }
    return memory(step) > allocation.memory()
        ? Optional.of(new Verdict.Never("Memory required by task is not available", ""))
        : Optional.empty();
  }

  private static Verdict.Never badGres(String detail) {
    return new Verdict.Never("Invalid generic resource (gres) specification", detail);
  }

  // ---- what it takes ----

  private long taken(StepRequest step) {
    return step.exact() ? step.cpus() : cpus;
  }

  private long gpus(StepRequest step) {
    return switch (step.gpus()) {
      case StepRequest.Gpus.OfTheJob() -> allocation.gpus().size();
      case StepRequest.Gpus.None() -> 0;
      case StepRequest.Gpus.Count(int count, var type) -> count;
      case StepRequest.Gpus.PerTask(int count) -> (long) count * step.tasks();
    };
  }

  /** A job without memory in the books has as much as there is, and so have its steps. */
  private long memory(StepRequest step) {
    if (allocation.memory() == 0) {
      return 0;
    }
    return switch (step.memory()) {
      case StepRequest.Memory.OfTheJob() -> allocation.memory();
      case StepRequest.Memory.Shared() -> 0;
      case StepRequest.Memory.Bytes(long bytes) -> bytes;
      case StepRequest.Memory.PerCpu(long bytes) -> times(bytes, taken(step));
    };
  }

  /** Exact, but where that is more than any machine has. */
  private static long times(long bytes, long count) {
    return Math.multiplyHigh(bytes, count) == 0 && bytes * count >= 0
        ? bytes * count
        : Long.MAX_VALUE;
  }

  // ---- what there is ----

  private int freeCpus() {
    return cpus - counted.stream().mapToInt(s -> s.share().cpus()).sum();
  }

  private List<GpuGrant> freeGpus() {
    var used = new TreeSet<GpuId>();
    counted.forEach(s -> s.share().gpus().forEach(grant -> used.add(grant.gpu())));
    return allocation.gpus().stream().filter(grant -> !used.contains(grant.gpu())).toList();
  }

  private long freeMemory() {
    return allocation.memory() - counted.stream().mapToLong(s -> s.share().memory()).sum();
  }

  private Ranges freeCpuIds() {
    Ranges free = allocation.cpus();
    for (Step step : counted) {
      free = free.minus(step.share().cpuIds());
    }
    return free;
  }

  // ---- the verdict: what can never be was refused before, so that every count is an int ----

  private Verdict all(StepRequest step) {
    return new Verdict.Fits(
        new Step.Share(
            (int) taken(step),
            allocation.cpus(),
            allocation.gpus().subList(0, (int) gpus(step)),
            0));
  }

  private boolean fitsNow(StepRequest step) {
    return taken(step) <= freeCpus()
        && gpus(step) <= freeGpus().size()
        && memory(step) <= freeMemory();
  }

  private Verdict now(StepRequest step) {
    if (!fitsNow(step)) {
      List<String> instead = instead(step);
      return new Verdict.Waits(instead.isEmpty() ? why(step) + advice(step) : why(step), instead);
    }
    var ids = freeCpuIds().stream().limit(taken(step)).boxed().toList();
    return new Verdict.Fits(
        new Step.Share(
            (int) taken(step),
            Ranges.ofAll(ids),
            freeGpus().subList(0, (int) gpus(step)),
            memory(step)));
  }

  private String why(StepRequest step) {
    var missing = new ArrayList<String>();
    if (taken(step) > freeCpus()) {
      missing.add("%s, %d of %d free".formatted(many(taken(step), "CPU"), freeCpus(), cpus));
    }
    if (gpus(step) > freeGpus().size()) {
      missing.add(
          "%s, %d of %d free"
              .formatted(many(gpus(step), "GPU"), freeGpus().size(), allocation.gpus().size()));
    }
    if (memory(step) > freeMemory()) {
      missing.add(
          "%d MB, %d of %d free"
              .formatted(megabytes(memory(step)), megabytes(freeMemory()), megabytes(memory())));
    }
    return "needs " + String.join("; ", missing);
  }

  /** For next time: what it did not say, though others wait for that too. */
  private String advice(StepRequest step) {
    var unsaid = new ArrayList<String>();
    if (!step.exact() && taken(step) > freeCpus()) {
      unsaid.add("--exact");
    }
    if (step.gpus() instanceof StepRequest.Gpus.OfTheJob && gpus(step) > freeGpus().size()) {
      unsaid.add("--gres=gpu:N");
    }
    if (step.memory() instanceof StepRequest.Memory.OfTheJob && memory(step) > freeMemory()) {
      unsaid.add("--mem=SIZE");
    }
    return unsaid.isEmpty()
        ? ""
        : "; steps that each say " + String.join(" ", unsaid) + " run side by side";
  }

  private long memory() {
    return allocation.memory();
  }

  private static long megabytes(long bytes) {
    return Math.ceilDiv(bytes, 1L << 20);
  }

  private static String many(long count, String thing) {
    return count + " " + thing + (count == 1 ? "" : "s");
  }

  /** What it takes only because it did not say otherwise, in turn, until it would fit. */
  private List<String> instead(StepRequest step) {
    var options = new ArrayList<String>();
    StepRequest less = step;
    if (!step.exact() && taken(step) > freeCpus()) {
      options.add("--exact");
      less = with(less, true, less.memory(), less.gpus());
    }
    if (step.gpus() instanceof StepRequest.Gpus.OfTheJob && gpus(step) > freeGpus().size()) {
      int some = Math.min(freeGpus().size(), 1);
      options.add(some == 0 ? "--gres=none" : "--gres=gpu:1");
      less = with(less, less.exact(), less.memory(), some(some));
    }
    if (step.memory() instanceof StepRequest.Memory.OfTheJob && memory(step) > freeMemory()) {
      long part = allocation.memory() / cpus * step.cpus();
      boolean fits = part <= freeMemory() && part > 0;
      options.add(fits ? "--mem=" + part / (1L << 20) + "M" : "--mem=0");
      less = with(less, less.exact(), new StepRequest.Memory.Shared(), less.gpus());
    }
    return fitsNow(less) ? options : List.of();
  }

  private static StepRequest.Gpus some(int count) {
    return count == 0
        ? new StepRequest.Gpus.None()
        : new StepRequest.Gpus.Count(count, Optional.empty());
  }

  private static StepRequest with(
      StepRequest step, boolean exact, StepRequest.Memory memory, StepRequest.Gpus gpus) {
    return new StepRequest(
        step.tasks(), step.cpusPerTask(), exact, step.overlap(), memory, gpus, step.sharedCpus());
  }
}
