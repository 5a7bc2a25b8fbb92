package gflow.job;

import gflow.job.GpuRequest.Whole;

/**
 * The resources of one task of an array, or of a whole plain job: {@code ntasks} × CPUs, memory in
 * bytes (0 = not booked), GPUs. {@code cpusPerTask} 0 means that no CPUs were asked for. Where the
 * CPUs do not divide among the tasks, it has one task with all of them; {@link RequestedOptions}
 * knows. It is elastic if it can use more GPUs than it needs to start, up to {@code mostGpus}:
 * those are lent.
 */
public record Request(
    int ntasks, int cpusPerTask, long memory, GpuRequest gpus, GpuFilter filter, int mostGpus) {
  public Request(int ntasks, int cpusPerTask, long memory, GpuRequest gpus, GpuFilter filter) {
    this(ntasks, cpusPerTask, memory, gpus, filter, gpus.count());
  }

  public Request {
    if (mostGpus < gpus.count() || (mostGpus > gpus.count() && !(gpus instanceof Whole))) {
      throw new IllegalArgumentException("bad request: " + gpus + ", at most " + mostGpus);
    }
    if (ntasks < 1 || cpusPerTask < 0 || memory < 0) {
      throw new IllegalArgumentException(
          "bad request: " + ntasks + " tasks, " + cpusPerTask + " CPUs, " + memory + " bytes");
    }
  }

  /** CPUs in the books. Not asked for: a GPU job counts none, any other one for each task. */
  public int cpus() {
    if (cpusPerTask > 0) {
      return Math.multiplyExact(ntasks, cpusPerTask);
    }
    return gpus instanceof GpuRequest.None || ntasks > 1 ? ntasks : 0;
  }

  /** Only who asked for CPUs is bound to them. */
  public boolean bound() {
    return cpusPerTask > 0;
  }

  /** CPUs as a node counts them: a GPU job may have none in the books, but never runs on none. */
  public int cpusOnNode() {
    return Math.max(1, cpus());
  }

  public Request withMemory(long changed) {
    return new Request(ntasks, cpusPerTask, changed, gpus, filter, mostGpus);
  }

  public Request withFilter(GpuFilter changed) {
    return new Request(ntasks, cpusPerTask, memory, gpus, changed, mostGpus);
  }

  public Request withGpus(GpuRequest changed) {
    return new Request(ntasks, cpusPerTask, memory, changed, filter, mostGpus);
  }

  /** The same with whole GPUs of which so many are the most that it can use. */
  public Request upTo(int most) {
    return new Request(ntasks, cpusPerTask, memory, gpus, filter, most);
  }

  /** The same on GPUs that nobody else has a part of, and none with less memory than it wanted. */
  public Request alone() {
    return gpus instanceof GpuRequest.Shared shared
        ? withGpus(new Whole(shared.count())).withFilter(filter.atLeast(shared.memory()))
        : this;
  }

  /** Whether it may have GPUs on loan. */
  public boolean elastic() {
    return mostGpus > gpus.count();
  }
}
