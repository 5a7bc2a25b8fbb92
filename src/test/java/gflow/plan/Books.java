package gflow.plan;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.Ranges;
import gflow.job.Request;
import java.util.List;

/** Law 4, added up from the allocations alone. */
final class Books {
  private Books() {}

  /** That all of this can be held at once. */
  static void balance(Machine machine, List<Allocation> held) {
    Ranges cpus = Ranges.EMPTY;
    long memory = 0;
    for (Allocation a : held) {
      assertThat(cpus.intersect(a.cpus())).as("CPUs given twice").isEqualTo(Ranges.EMPTY);
      cpus = cpus.union(a.cpus());
      memory += a.memory();
    }
    assertThat(cpus.minus(machine.cpus())).as("CPUs not there").isEqualTo(Ranges.EMPTY);
    assertThat(memory).isLessThanOrEqualTo(machine.memory());
    for (Gpu gpu : machine.gpus()) {
      balance(gpu, held);
    }
  }

  private static void balance(Gpu gpu, List<Allocation> held) {
    List<GpuGrant> grants =
        held.stream()
            .flatMap(a -> a.gpus().stream())
            .filter(g -> g.gpu().equals(gpu.id()))
            .toList();
    assertThat(grants).allMatch(g -> g.index() == gpu.index());
    assertThat(grants.stream().map(GpuGrant::part).reduce(GpuPart.NONE, GpuPart::plus))
        .isLessThanOrEqualTo(GpuPart.WHOLE);
    assertThat(grants.stream().mapToLong(GpuGrant::memory).sum()).isLessThanOrEqualTo(gpu.memory());
    if (grants.stream().anyMatch(GpuGrant::whole)) {
      assertThat(grants).as("a whole GPU has one owner").hasSize(1);
    }
  }

  /** That the job got what it asked for, on GPUs that may be given out. */
  static void honours(Machine machine, Request request, Allocation given) {
    assertThat(given.cpus().size()).isEqualTo(request.cpus());
    assertThat(given.memory()).isEqualTo(request.memory());
    assertThat(given.gpuIndices()).hasSize(request.gpus().count()).doesNotHaveDuplicates();
    for (GpuGrant grant : given.gpus()) {
      Gpu gpu = machine.gpus().get(grant.index());
      assertThat(Leftover.mayHave(gpu, request.gpus()) && gpu.passes(request.filter())).isTrue();
      switch (request.gpus()) {
        case GpuRequest.None() -> throw new AssertionError("a GPU that nobody wanted");
        case GpuRequest.Whole(int count) -> {
          assertThat(grant.part()).isEqualTo(GpuPart.WHOLE);
          assertThat(grant.memory()).isEqualTo(gpu.memory());
        }
        case GpuRequest.Shared shared -> {
          assertThat(grant.part()).isEqualTo(shared.part());
          assertThat(grant.memory()).isEqualTo(Leftover.promised(gpu, shared));
        }
      }
    }
  }
}
