package gflow.plan;

import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.Request;
import gflow.job.RequestedOptions;

/**
 * Who asks for all that there is ({@code --exclusive}, {@code --mem 0}) gets it in numbers when the
 * job is taken in, so that books, plans and reasons need to know nothing of it.
 */
public final class WholeMachine {
  private static final long MB = 1L << 20;

  private WholeMachine() {}

  public static Request counted(Machine machine, Request request, RequestedOptions asked) {
    Request counted = asked.wholeMachine() ? all(machine, request, asked) : request;
    return asked.megabytes(RequestedOptions.MEM).orElse(1) == 0
        ? counted.withMemory(Math.max(0, machine.memory()))
        : counted;
  }

  /** All GPUs and CPUs; memory only as asked, as Slurm has it. */
  private static Request all(Machine machine, Request request, RequestedOptions asked) {
    int cpus = Math.max(request.cpus(), machine.cpus().size());
    int gpus = Math.max(request.gpus().count(), machine.gpus().size());
    int ntasks = asked.ntasks().orElse(1);
    boolean even = cpus % ntasks == 0;
    long memory =
        asked.megabytes(RequestedOptions.MEM_PER_CPU).orElse(0) * cpus
            + asked.megabytes(RequestedOptions.MEM_PER_GPU).orElse(0) * gpus;
    return new Request(
        even ? ntasks : 1,
        even ? cpus / ntasks : cpus,
        memory > 0 ? memory * MB : request.memory(),
        gpus == 0 ? new GpuRequest.None() : new GpuRequest.Whole(gpus),
        GpuFilter.ANY);
  }
}
