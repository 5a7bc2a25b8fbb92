package gflow.plan;

import static gflow.plan.Scene.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.plan.Forecast.Running;
import gflow.plan.FreeResources.Bounds;
import gflow.plan.Plan.Start;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every plan, whatever the machine and the queue. */
class PlannerLawsTest {
  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void nothing_is_given_twice_and_everybody_gets_what_they_asked_for(long seed) {
    Scene scene = new RandomScene(seed).busy();
    Plan plan = scene.plan();

    var held = new ArrayList<Allocation>();
    scene.holdings.forEach(h -> held.add(h.allocation()));
    scene.holdings.forEach(h -> held.add(lent(h)));
    for (Start start : plan.starts()) {
      Candidate c = scene.book.get(start.job()).orElseThrow();
      Books.honours(scene.machine(), c.request(), start.allocation());
      assertThat(count(plan, c.job())).isLessThanOrEqualTo(c.tasks());
      held.add(start.allocation());
    }
    Books.balance(scene.machine(), held);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void the_same_view_gives_the_same_plan_however_the_book_was_filled(long seed) {
    Scene scene = new RandomScene(seed).busy();
    Plan plan = scene.plan();
    assertThat(scene.plan()).isEqualTo(plan);

    List<Candidate> all = candidates(scene);
    Collections.shuffle(all, new Random(seed));
    for (Candidate c : all) {
      scene.book.put(Scene.priority(99, c));
      scene.book.put(c);
    }
    assertThat(scene.plan()).isEqualTo(plan);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void the_walk_by_lines_finds_what_a_walk_by_candidates_finds(long seed) {
    Scene scene = new RandomScene(seed).busy();

    assertThat(scene.plan()).isEqualTo(oneByOne(scene.view(), candidates(scene)));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void the_reserved_job_fits_at_its_time_if_all_run_to_their_limits(long seed) {
    Scene scene = new RandomScene(seed).busy();
    Plan plan = scene.plan();
    if (plan.reservation().flatMap(Reservation::at).isEmpty()) {
      return;
    }
    Reservation kept = plan.reservation().orElseThrow();
    var at = kept.at().orElseThrow();

    var then = new FreeResources(scene.machine());
    scene.holdings.stream()
        .filter(h -> h.end().isEmpty() || h.end().get().isAfter(at))
        .forEach(h -> then.take(h.allocation()));
    for (Start start : plan.starts()) {
      Candidate c = scene.book.get(start.job()).orElseThrow();
      if (c.timeLimit().isEmpty() || NOW.plus(c.timeLimit().get()).isAfter(at)) {
        then.take(start.allocation());
      }
    }
    Candidate head = scene.book.get(kept.job()).orElseThrow();
    var others = scene.gpus.stream().map(Gpu::id).filter(id -> !kept.gpus().contains(id)).toList();
    var onItsOwn = new Bounds(others, Integer.MAX_VALUE, Long.MAX_VALUE);
    assertThat(then.fit(head.request(), onItsOwn)).isPresent();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void every_wait_has_the_reason_that_the_plan_had(long seed) {
    Scene scene = new RandomScene(seed).busy();
    var explainer = Planner.explain(scene.view());
    Plan plan = explainer.plan();
    assertThat(plan).isEqualTo(scene.plan());

    var left = new FreeResources(scene.machine());
    scene.holdings.forEach(h -> left.take(h.allocation()));
    scene.holdings.forEach(h -> left.take(lent(h)));
    plan.starts().forEach(s -> left.take(s.allocation()));
    for (Candidate c : candidates(scene)) {
      boolean fits = left.fit(c.request(), Bounds.NONE).isPresent();
      Reason reason = explainer.why(c);
      assertThat(reason instanceof Reason.None).isEqualTo(count(plan, c.job()) == c.tasks());
      switch (reason) {
        case Reason.Priority() -> assertThat(fits && plan.reservation().isPresent()).isTrue();
        case Reason.Resources r -> assertThat(fits).as(r.text()).isFalse();
        case Reason.Infeasible n -> assertThat(count(plan, c.job())).isZero();
        case Reason.UserTaskLimit l -> assertThat(scene.limits.user(c.owner().name())).isNotNull();
        case Reason.UserGpuLimit l -> assertThat(c.request().gpus().count()).isPositive();
        case Reason.ProjectTaskLimit l -> assertThat(c.project()).contains(l.project());
        case Reason.ProjectGpuLimit l -> assertThat(c.project()).contains(l.project());
        case Reason.None n -> {}
        case Reason r -> throw new AssertionError("not the planner's: " + r);
      }
    }
  }

  /** The policy in its plainest form: find whose turn it is among all, each time anew. */
  private static Plan oneByOne(PlanningView view, List<Candidate> waiting) {
    var pool = new FreeResources(view.machine());
    var tally = new UsageTally(view);
    var running = new ArrayList<Running>();
    for (Holding h : view.holdings()) {
      pool.take(h.allocation());
      running.add(new Running(h.allocation(), h.startedAt(), h.end()));
      pool.take(lent(h));
      running.add(new Running(lent(h), h.startedAt(), Optional.of(view.now())));
    }
    var starts = new ArrayList<Start>();
    Optional<ReservationGuard> guard = Optional.empty();
    var tasks = new ArrayList<Candidate>();
    waiting.forEach(c -> IntStream.range(0, c.tasks()).forEach(i -> tasks.add(c)));
    while (!tasks.isEmpty()) {
      Candidate c =
          Collections.min(
              tasks,
              Comparator.comparing(Candidate::priority, Comparator.reverseOrder())
                  .thenComparing(x -> tally.gpusOf(x.owner()))
                  .thenComparing(Candidate::since)
                  .thenComparing(Candidate::job));
      tasks.remove(c);
      if (tally.limit(c).isPresent()) {
        continue;
      }
      var end = c.endIfStarted(view.now());
      var bounds = guard.map(g -> g.boundsFor(end)).orElse(Bounds.NONE);
      var given = pool.fit(c.request(), bounds);
      if (given.isPresent()) {
        pool.take(given.get());
        tally.add(c.owner(), c.project(), given.get().gpus());
        running.add(new Running(given.get(), view.now(), end));
        starts.add(new Start(c.job(), given.get()));
        guard.ifPresent(g -> g.started(c, end));
      } else if (guard.isEmpty()
          && Planner.never(view.machine().inService(), c.request()).isEmpty()) {
        guard = Optional.of(new Forecast(pool, running).reserve(c));
      }
    }
    return new Plan(starts, guard.map(g -> g.reservation));
  }

  private static Allocation lent(Holding holding) {
    return new Allocation(holding.lent(), Ranges.EMPTY, 0);
  }

  private static List<Candidate> candidates(Scene scene) {
    var all = new ArrayList<Candidate>();
    IntStream.range(100, 140).forEach(i -> scene.book.get(new JobId(i)).ifPresent(all::add));
    return all;
  }

  private static long count(Plan plan, JobId job) {
    return plan.starts().stream().filter(s -> s.job().equals(job)).count();
  }
}
