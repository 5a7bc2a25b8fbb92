package gflow.plan;

import static gflow.plan.Scene.ANN;
import static gflow.plan.Scene.NOW;
import static gflow.plan.Scene.tasks;
import static gflow.plan.Scene.wants;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobId;
import gflow.job.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many plans in a row, while jobs come and end: nobody delays who waits first. */
class QueueSimulationTest {
  private record Run(Holding holding, Instant realEnd) {
    /** When its resources are back at the latest, as far as one could know. */
    Instant bound() {
      return holding.end().orElse(realEnd);
    }
  }

  /** The promise made when a job came to the head of the queue. */
  private record Promise(JobId job, Optional<Instant> at, Instant bound) {}

  private final List<Run> runs = new ArrayList<>();
  private Instant now = NOW;
  private Optional<Promise> promise = Optional.empty();

  static LongStream seeds() {
    return LongStream.range(0, 250);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void no_reservation_slips_and_everything_runs_in_the_end(long seed) {
    var source = new RandomScene(seed);
    Scene scene = source.machine(false);
    int jobs = 60;
    for (int next = 1; next <= jobs || !runs.isEmpty() || !scene.book.isEmpty(); ) {
      for (int i = source.random.nextInt(6); i > 0 && next <= jobs; i--) {
        // One owner, one priority and rising age: who comes later is behind, so a head stays one.
        Candidate c = Scene.priority(10, source.candidate(next, ANN));
        if (Planner.never(scene.machine(), c.request()).isEmpty()) {
          scene.book.put(
              new Candidate(
                  c.job(), ANN, 10, now, c.request(), c.timeLimit(), c.project(), c.tasks()));
        }
        next++;
      }
      Plan plan = Planner.plan(view(scene));
      apply(plan, scene.book, source.random);
      Books.balance(scene.machine(), runs.stream().map(r -> r.holding().allocation()).toList());
      check(plan, scene.book);
      if (runs.isEmpty()) {
        assertThat(scene.book.isEmpty()).as("a machine with nothing to do").isTrue();
      }
      endNext();
    }
  }

  @Test
  void a_big_job_gets_through_a_stream_of_small_ones() {
    Scene scene = Scene.of(4);
    var random = new Random(1);
    for (int i = 1; i <= 4; i++) {
      scene.book.put(wants(i, 1));
    }
    apply(Planner.plan(view(scene)), scene.book, random);
    scene.book.put(wants(5, 4));
    int ends = 0;
    for (int job = 6; scene.book.get(new JobId(5)).isPresent(); job += 2) {
      scene.book.put(wants(job, 1));
      scene.book.put(wants(job + 1, GpuRequest.part(GpuPart.of(100, 1000))));
      endNext();
      apply(Planner.plan(view(scene)), scene.book, random);
      assertThat(++ends).as("ends until the big one starts").isLessThanOrEqualTo(4);
    }
    assertThat(runs).hasSize(1);
  }

  private PlanningView view(Scene scene) {
    List<Holding> holdings = runs.stream().map(Run::holding).toList();
    return new PlanningView(now, scene.machine(), holdings, scene.book, UsageLimits.NONE);
  }

  private void apply(Plan plan, Book book, Random random) {
    for (Plan.Start start : plan.starts()) {
      Candidate c = book.get(start.job()).orElseThrow();
      book.remove(c.job());
      if (c.tasks() > 1) {
        book.put(tasks(c.tasks() - 1, c));
      }
      long most = c.timeLimit().map(Duration::toSeconds).orElse(5000L);
      long real = random.nextBoolean() ? most : 1 + random.nextInt((int) most);
      runs.add(new Run(holding(c, start.allocation()), now.plusSeconds(real)));
    }
  }

  private Holding holding(Candidate c, Allocation allocation) {
    var task = new TaskId(c.job(), c.tasks() - 1, 0);
    return new Holding(task, ANN, c.project(), allocation, now, c.endIfStarted(now));
  }

  private void check(Plan plan, Book book) {
    promise.ifPresent(
        p -> {
          boolean stillHead = plan.reservation().filter(r -> r.job().equals(p.job())).isPresent();
          boolean started = plan.starts().stream().anyMatch(s -> s.job().equals(p.job()));
          assertThat(stillHead || started).as("the head stays the head until it starts").isTrue();
          assertThat(now).as("job %s has waited too long", p.job()).isBeforeOrEqualTo(p.bound());
          if (!started && p.at().isPresent()) {
            assertThat(plan.reservation().orElseThrow().at().orElseThrow())
                .as("the reservation of job %s slipped", p.job())
                .isBeforeOrEqualTo(p.at().get());
          }
        });
    promise = plan.reservation().map(r -> promise(r, plan, book));
  }

  private Promise promise(Reservation r, Plan plan, Book book) {
    boolean same =
        promise.filter(p -> p.job().equals(r.job())).isPresent()
            && plan.starts().stream().noneMatch(s -> s.job().equals(r.job()));
    GpuRequest gpus = book.get(r.job()).orElseThrow().request().gpus();
    // A part of a GPU may be kept on another GPU later, where more room came up.
    boolean fixed = gpus instanceof GpuRequest.Whole || gpus instanceof GpuRequest.None;
    Instant bound =
        r.at()
            .orElseGet(
                () ->
                    fixed
                        ? runs.stream().map(Run::bound).max(Instant::compareTo).orElseThrow()
                        : Instant.MAX);
    // What has a time is preferred to what has none, though that may be over sooner: nobody knows.
    boolean known = same && promise.get().at().isEmpty() && r.at().isPresent();
    return new Promise(r.job(), r.at(), same && !known ? min(promise.get().bound(), bound) : bound);
  }

  private static Instant min(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private void endNext() {
    Optional<Instant> first = runs.stream().map(Run::realEnd).min(Instant::compareTo);
    now = first.filter(end -> end.isAfter(now)).orElse(now.plusSeconds(1));
    runs.removeIf(run -> !run.realEnd().isAfter(now));
  }
}
