package gflow.plan;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.plan.Leftover.Kept;
import gflow.plan.Plan.Start;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Judges a plan start by start against the policy as it is told to users, with nothing of the
 * planner but what goes in and what comes out.
 */
final class PlanOracle {
  private final Scene scene;
  private final Plan plan;
  private final List<Held> held = new ArrayList<>();
  private final List<Candidate> waiting = new ArrayList<>();
  private Optional<Candidate> head = Optional.empty();

  /** Something that runs; {@code counts}: loans weigh nothing against limits. */
  private record Held(
      Owner owner,
      Optional<String> project,
      Allocation allocation,
      Optional<Instant> end,
      boolean counts) {
    boolean stays(Instant at) {
      return end.isEmpty() || end.get().isAfter(at);
    }
  }

  /** One entry of {@code candidates} for each job; each of its tasks waits for a turn. */
  PlanOracle(Scene scene, List<Candidate> candidates, Plan plan) {
    this.scene = scene;
    this.plan = plan;
    for (Holding h : scene.holdings) {
      held.add(new Held(h.owner(), h.project(), h.allocation(), h.end(), true));
      var lent = new Allocation(h.lent(), Ranges.EMPTY, 0);
      held.add(new Held(h.owner(), h.project(), lent, Optional.of(Scene.NOW), false));
    }
    candidates.forEach(c -> Stream.generate(() -> c).limit(c.tasks()).forEach(waiting::add));
  }

  /** Lets the plan's starts happen one after the other, and holds each against all that waits. */
  PlanOracle replay() {
    for (Start start : plan.starts()) {
      Candidate c = scene.book.get(start.job()).orElseThrow();
      assertThat(waiting).as("a task that nobody waits for").contains(c);
      inTurn().stream().takeWhile(before -> !before.equals(c)).forEach(this::mustWait);
      assertThat(overLimit(c)).as("job %s is over a limit", c.job()).isEmpty();
      assertThat(cut(c)).as("what job %s gets", c.job()).contains(start.allocation());
      waiting.remove(c);
      held.add(
          new Held(
              c.owner(),
              c.project(),
              start.allocation(),
              c.timeLimit().map(Scene.NOW::plus),
              true));
    }
    inTurn().forEach(this::mustWait);
    assertThat(plan.reservation().map(Reservation::job)).isEqualTo(head.map(Candidate::job));
    headIsNotDelayed();
    return this;
  }

  /** The first in turn that lacks something, and does not lack it for ever, has a reservation. */
  private void mustWait(Candidate c) {
    if (overLimit(c).isPresent()) {
      return;
    }
    assertThat(cut(c)).as("job %s waits though nothing is in its way", c.job()).isEmpty();
    if (head.isEmpty() && feasible(c.request(), true)) {
      head = Optional.of(c);
      assertThat(plan.reservation().map(Reservation::job)).as("who is first").contains(c.job());
      judge(reservation(), c);
    }
  }

  private void judge(Reservation kept, Candidate c) {
    Request request = c.request();
    assertThat(kept.cpus()).isEqualTo(request.cpus());
    assertThat(kept.memory()).isEqualTo(request.memory());
    List<Gpu> gpus =
        scene.gpus.stream().filter(gpu -> returns(gpu) && passes(gpu, request)).toList();
    assertThat(gpus).extracting(Gpu::id).containsAll(kept.gpus());
    assertThat(kept.gpus()).doesNotHaveDuplicates().hasSize(request.gpus().count());
    assertThat(kept.at()).as("when job %s fits", c.job()).isEqualTo(earliest(request));
    if (request.gpus() instanceof GpuRequest.Whole(int count)) {
      List<Gpu> free = left().fitting(request);
      assertThat(free.stream().filter(gpu -> kept.gpus().contains(gpu.id())))
          .as("what is free already is kept")
          .hasSize(Math.min(count, free.size()));
    }
  }

  /** The first known end after which there is enough. */
  private Optional<Instant> earliest(Request request) {
    return held.stream()
        .flatMap(h -> h.end().stream())
        .sorted()
        .filter(at -> left(at).fits(request, Kept.NOTHING))
        .findFirst();
  }

  /** That the head could start at its time, on its GPUs, if all ran to their limits. */
  private void headIsNotDelayed() {
    if (plan.reservation().flatMap(Reservation::at).isPresent()) {
      var others = new ArrayList<>(scene.gpus.stream().map(Gpu::id).toList());
      others.removeAll(reservation().gpus());
      Leftover then = left(reservation().at().orElseThrow());
      assertThat(then.fits(head.orElseThrow().request(), new Kept(others, 0, 0)))
          .as("the reserved job %s is delayed", reservation().job())
          .isTrue();
    }
  }

  /** That what is said of a job that waits is so, after all the plan's starts. */
  void judge(Candidate c, Reason reason) {
    assertThat(reason instanceof Reason.None).isEqualTo(!waiting.contains(c));
    if (reason instanceof Reason.Resources || reason instanceof Reason.Priority) {
      assertThat(feasible(c.request(), false)).as("it waits for what can come").isTrue();
    }
    switch (reason) {
      case Reason.None() -> {}
      case Reason.Infeasible _ -> assertThat(feasible(c.request(), false)).isFalse();
      case Reason.Resources lack -> isMissing(c.request(), lack);
      case Reason.Priority() -> {
        assertThat(left().fits(c.request(), Kept.NOTHING)).as("nothing is missing").isTrue();
        assertThat(overLimit(c)).isEmpty();
        assertThat(head).as("somebody is before it").isPresent();
      }
      case Reason limit -> assertThat(overLimit(c)).contains(limit);
    }
  }

  private void isMissing(Request request, Reason.Resources lack) {
    Leftover left = left();
    GpuRequest wanted = request.gpus();
    List<Gpu> usable =
        scene.gpus.stream()
            .filter(gpu -> Leftover.mayHave(gpu, wanted) && passes(gpu, request))
            .toList();
    Reason truth =
        switch (lack) {
          case Reason.Cpus _ -> new Reason.Cpus(request.cpus(), left.cpus().size());
          case Reason.Memory _ -> new Reason.Memory(request.memory(), left.memory());
          case Reason.GpuShare _ -> {
            var shared = (GpuRequest.Shared) wanted;
            long room = usable.stream().mapToLong(gpu -> left.room(gpu, shared)).max().orElse(0);
            yield new Reason.GpuShare(shared.part(), new GpuPart(room), blocked(request));
          }
          case Reason.GpuMemory _ -> {
            var shared = (GpuRequest.Shared) wanted;
            GpuRequest.Shared memory = GpuRequest.memory(shared.memory());
            long room =
                shared.count() > 1
                    ? left.fitting(request).size()
                    : usable.stream().mapToLong(gpu -> left.room(gpu, memory)).max().orElse(0);
            yield new Reason.GpuMemory(shared.count(), shared.memory(), room, blocked(request));
          }
          case Reason.GpuMemoryInUse(int index, _, _, _, _) -> {
            Gpu gpu = scene.gpus.get(index);
            var shared = (GpuRequest.Shared) wanted;
            long need = Leftover.promised(gpu, shared);
            long room = left.room(gpu, GpuRequest.memory(need));
            assertThat(gpu.beyond()).isPositive();
            assertThat(need).isGreaterThan(room).isLessThanOrEqualTo(gpu.memory());
            yield new Reason.GpuMemoryInUse(index, room, gpu.memory(), need, blocked(request));
          }
          case Reason.Gpus _ -> {
            int free = (int) usable.stream().filter(left::free).count();
            int lent = (int) usable.stream().filter(this::isLent).count();
            yield new Reason.Gpus(wanted.count(), free, blocked(request), lent);
          }
          case Reason.Disk _, Reason.Unwritten _, Reason.NotStarted _, Reason.Port _ ->
              throw new AssertionError("not the planner's: " + lack);
        };
    assertThat(lack).isEqualTo(truth);
    boolean gpusAreThere = left.fitting(request).size() >= wanted.count();
    boolean cpusAreThere = request.cpus() <= left.cpus().size();
    switch (lack) {
      case Reason.Cpus _ -> assertThat(gpusAreThere && !cpusAreThere).isTrue();
      case Reason.Memory _ -> {
        assertThat(gpusAreThere && cpusAreThere).isTrue();
        assertThat(request.memory()).isGreaterThan(left.memory());
      }
      case Reason.Resources _ -> assertThat(gpusAreThere).isFalse();
    }
  }

  /** Drained and forbidden GPUs are only named to those who cannot run without them. */
  private List<Reason.Blocked> blocked(Request request) {
    boolean needsAll = !feasible(request, true);
    return scene.gpus.stream()
        .filter(gpu -> !Leftover.mayHave(gpu, request.gpus()) && passes(gpu, request))
        .filter(
            gpu ->
                needsAll
                    || gpu.availability() instanceof Availability.Outsider
                    || gpu.availability() instanceof Availability.Locked
                    || gpu.availability() instanceof Availability.Lost)
        .map(gpu -> new Reason.Blocked(gpu.index(), gpu.availability()))
        .toList();
  }

  private boolean isLent(Gpu gpu) {
    return scene.holdings.stream()
        .flatMap(h -> h.lent().stream())
        .anyMatch(grant -> grant.gpu().equals(gpu.id()));
  }

  /** Priority, then who has the fewest GPUs, then age. */
  private List<Candidate> inTurn() {
    var gpus = new HashMap<Owner, Long>();
    waiting.forEach(c -> gpus.computeIfAbsent(c.owner(), owner -> weight(heldBy(owner))));
    return waiting.stream()
        .sorted(
            Comparator.comparing((Candidate c) -> -c.priority())
                .thenComparing(c -> gpus.get(c.owner()))
                .thenComparing(Candidate::since)
                .thenComparing(Candidate::job))
        .toList();
  }

  /** The limit that one more task would break. */
  private Optional<Reason> overLimit(Candidate c) {
    long gpus = weight(c.request().gpus());
    List<Held> ofUser = heldBy(c.owner());
    UsageLimits.Cap user = scene.limits.user(c.owner().name());
    if (breaks(user.tasks(), ofUser.size() + 1)) {
      return Optional.of(new Reason.UserTaskLimit(user.tasks().getAsInt()));
    }
    if (gpus > 0
        && breaks(user.gpus(), Math.ceilDiv(weight(ofUser) + gpus, GpuPart.WHOLE.units()))) {
      return Optional.of(new Reason.UserGpuLimit(user.gpus().getAsInt()));
    }
    if (c.project().isEmpty()) {
      return Optional.empty();
    }
    String name = c.project().get();
    List<Held> inProject =
        held.stream().filter(h -> h.counts() && h.project().equals(c.project())).toList();
    UsageLimits.Cap project = scene.limits.project(name);
    if (breaks(project.tasks(), inProject.size() + 1)) {
      return Optional.of(new Reason.ProjectTaskLimit(name, project.tasks().getAsInt()));
    }
    return gpus > 0
            && breaks(project.gpus(), Math.ceilDiv(weight(inProject) + gpus, GpuPart.WHOLE.units()))
        ? Optional.of(new Reason.ProjectGpuLimit(name, project.gpus().getAsInt()))
        : Optional.empty();
  }

  private static boolean breaks(OptionalInt limit, long count) {
    return limit.isPresent() && count > limit.getAsInt();
  }

  private List<Held> heldBy(Owner owner) {
    return held.stream().filter(h -> h.counts() && h.owner().equals(owner)).toList();
  }

  /** GPUs in units of parts. */
  private long weight(List<Held> things) {
    return things.stream()
        .flatMap(h -> h.allocation().gpus().stream())
        .mapToLong(g -> g.part().isNone() ? weight(g.memory()) : g.part().units())
        .sum();
  }

  private long weight(GpuRequest wanted) {
    return switch (wanted) {
      case GpuRequest.None() -> 0;
      case GpuRequest.Whole(int count) -> GpuPart.WHOLE.units() * count;
      case GpuRequest.Shared(int count, var part, long memory, var _) ->
          count * (part.isNone() ? weight(memory) : part.units());
    };
  }

  /** Memory weighs its part of the largest GPU, rounded up. */
  private long weight(long bytes) {
    long largest = scene.gpus.stream().mapToLong(Gpu::memory).max().orElse(0);
    long thousandths = largest == 0 ? 1000 : Math.min(1000, Math.ceilDiv(1000 * bytes, largest));
    return thousandths * (GpuPart.WHOLE.units() / 1000);
  }

  private Optional<Allocation> cut(Candidate c) {
    return left().cut(c.request(), keptFrom(c));
  }

  /** Who is gone before the reserved time may use all; others what the head will not need. */
  private Kept keptFrom(Candidate c) {
    Optional<Instant> at = plan.reservation().flatMap(Reservation::at);
    Optional<Instant> end = c.timeLimit().map(Scene.NOW::plus);
    boolean gone = at.isPresent() && end.isPresent() && !end.get().isAfter(at.get());
    if (head.isEmpty() || gone) {
      return Kept.NOTHING;
    }
    Leftover then = at.map(this::left).orElseGet(this::left);
    int comingCpus = then.cpus().size() - left().cpus().size();
    long comingMemory = then.memory() - left().memory();
    return new Kept(
        reservation().gpus(),
        Math.max(0, reservation().cpus() - comingCpus),
        Math.max(0, reservation().memory() - comingMemory));
  }

  private Leftover left() {
    return new Leftover(scene.machine(), held.stream().map(Held::allocation).toList());
  }

  private Leftover left(Instant at) {
    return new Leftover(
        scene.machine(), held.stream().filter(h -> h.stays(at)).map(Held::allocation).toList());
  }

  /** Whether it would fit if nothing ran, {@code now}: without the GPUs that somebody took away. */
  private boolean feasible(Request request, boolean now) {
    List<Gpu> gpus =
        scene.gpus.stream().filter(gpu -> !now || returns(gpu)).map(PlanOracle::inUse).toList();
    List<Integer> indices = scene.gpus.stream().map(Gpu::index).toList();
    boolean known = request.gpus().count() == 0 || indices.containsAll(request.filter().only());
    return known
        && new Leftover(new Machine(gpus, scene.cpus, scene.memory), List.of())
            .fits(request, Kept.NOTHING);
  }

  private static Gpu inUse(Gpu g) {
    return new Gpu(g.id(), g.index(), g.model(), g.memory(), g.near(), new Availability.Usable());
  }

  private static boolean returns(Gpu gpu) {
    return gpu.availability() instanceof Availability.Usable
        || gpu.availability() instanceof Availability.Outsider
        || gpu.availability() instanceof Availability.Locked;
  }

  private static boolean passes(Gpu gpu, Request request) {
    return Leftover.passes(gpu, request.filter());
  }

  private Reservation reservation() {
    return plan.reservation().orElseThrow();
  }
}
