package gflow.plan;

import static gflow.plan.Scene.ANN;
import static gflow.plan.Scene.BOB;
import static gflow.plan.Scene.NOW;
import static gflow.plan.Scene.id;
import static gflow.plan.Scene.wants;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobId;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.TaskId;
import gflow.plan.LoanPlanner.Borrower;
import gflow.plan.LoanPlanner.CallBack;
import gflow.plan.LoanPlanner.Decision;
import gflow.plan.LoanPlanner.Lend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** GPUs beyond their own for elastic jobs, and their return. */
class LoanPlannerTest {
  private final List<Borrower> borrowers = new ArrayList<>();

  private static TaskId task(int job) {
    return new TaskId(new JobId(job));
  }

  private static GpuGrant gpu(int index) {
    return new GpuGrant(id(index), index, GpuPart.WHOLE, 24 * Scene.G);
  }

  private static List<GpuGrant> gpus(int... indices) {
    return IntStream.of(indices).mapToObj(LoanPlannerTest::gpu).toList();
  }

  private static Request upTo(int most) {
    return new Request(1, 0, 0, new GpuRequest.Whole(1), GpuFilter.ANY, most);
  }

  /** A job that has one GPU of its own, can use so many, and has these on loan. */
  private void elastic(Scene scene, int job, Owner owner, int most, int own, int... lent) {
    borrowers.add(new Borrower(task(job), upTo(most), true));
    scene.runs(job, owner, Optional.empty(), own);
    scene.holdings.add(scene.holdings.removeLast().withLent(gpus(lent)));
  }

  private Decision decide(Scene scene) {
    return LoanPlanner.decide(scene.view(), borrowers);
  }

  private static List<String> lends(Decision decision) {
    return decision.lends().stream().map(l -> l.task().job() + ":" + l.grant().index()).toList();
  }

  private static CallBack called(Decision decision, int job) {
    return decision.callBacks().getOrDefault(task(job), CallBack.NONE);
  }

  @Test
  void what_nobody_else_wants_is_lent_up_to_the_bound() {
    Scene scene = Scene.of(8);
    elastic(scene, 1, ANN, 5, 0);

    assertThat(lends(decide(scene))).containsExactly("1:1", "1:2", "1:3", "1:4");
    assertThat(decide(scene).callBacks()).isEmpty();
  }

  @Test
  void who_does_not_ask_gets_nothing_and_keeps_what_it_has() {
    Scene scene = Scene.of(8);
    elastic(scene, 1, ANN, 8, 0, 1, 2);
    borrowers.set(0, new Borrower(task(1), upTo(8), false));

    assertThat(decide(scene).lends()).isEmpty();
    assertThat(decide(scene).callBacks()).isEmpty();
  }

  @Test
  void only_gpus_that_fit_and_may_be_used_are_lent() {
    Scene scene = Scene.of(6);
    scene.is(1, new Availability.Drained("fan")).is(2, new Availability.Outsider("bob"));
    scene.runs(9, BOB, Optional.empty(), new Allocation(half(3), Ranges.EMPTY, 0));
    scene.runs(1, ANN, Optional.empty(), 0);
    var not5 = new GpuFilter(Optional.empty(), List.of(), List.of(5));
    borrowers.add(new Borrower(task(1), upTo(6).withFilter(not5), true));

    assertThat(lends(decide(scene))).containsExactly("1:4");
  }

  private static List<GpuGrant> half(int index) {
    return List.of(new GpuGrant(id(index), index, GpuPart.of(500, 1000), 12 * Scene.G));
  }

  @Test
  void the_fewest_come_back_for_a_job_that_could_start() {
    Scene scene = Scene.of(8);
    elastic(scene, 1, ANN, 8, 0, 1, 2, 3, 4, 5, 6);
    scene.waits(wants(2, 3));

    Decision decision = decide(scene);

    assertThat(called(decision, 1).count()).isEqualTo(2);
    // Any two of them will do, and the free one is kept for the job that waits.
    assertThat(called(decision, 1).from()).hasSize(6);
    assertThat(decision.lends()).isEmpty();
  }

  @Test
  void what_came_back_is_kept_until_the_rest_is_there_and_then_the_job_starts() {
    Scene scene = Scene.of(4);
    elastic(scene, 1, ANN, 4, 0, 1, 2);
    scene.waits(wants(2, 2));

    assertThat(scene.starts()).isEmpty();
    assertThat(scene.why(wants(2, 2)))
        .isEqualTo("Resources: Need 2 GPUs, only 1 available, 2 on loan");
    assertThat(called(decide(scene), 1).count()).isOne();
    assertThat(decide(scene).lends()).isEmpty();

    scene.holdings.set(0, scene.holdings.getFirst().withLent(gpus(1)));
    assertThat(scene.starts()).containsExactly("2:[2, 3]");
  }

  @Test
  void nothing_comes_back_for_a_job_that_could_not_start_even_then() {
    Scene scene = Scene.of(4);
    elastic(scene, 1, ANN, 4, 0, 1, 2);
    scene.waits(wants(2, 4));

    Decision decision = decide(scene);

    assertThat(decision.callBacks()).isEmpty();
    // It has use for the free one, so that is not lent.
    assertThat(decision.lends()).isEmpty();
  }

  @Test
  void the_first_in_turn_keeps_its_gpus_from_those_behind_while_loans_come_back() {
    Scene scene = Scene.of(4);
    elastic(scene, 1, ANN, 4, 0, 1, 2);
    scene.waits(wants(2, 2), wants(3, 1));

    assertThat(scene.starts()).isEmpty();
  }

  @Test
  void they_come_back_from_who_has_most() {
    Scene scene = Scene.of(8);
    elastic(scene, 1, ANN, 8, 0, 1, 2, 3, 4);
    elastic(scene, 2, ANN, 8, 5, 6, 7);
    scene.waits(wants(3, 2));

    Decision decision = decide(scene);

    assertThat(called(decision, 1).count()).isEqualTo(2);
    assertThat(called(decision, 2).count()).isZero();
  }

  @Test
  void several_share_evenly_and_a_late_comer_gets_its_part() {
    Scene scene = Scene.of(8);
    elastic(scene, 1, ANN, 8, 0);
    elastic(scene, 2, BOB, 8, 1);
    assertThat(lends(decide(scene))).containsExactly("1:2", "1:4", "1:6", "2:3", "2:5", "2:7");

    scene = Scene.of(8);
    borrowers.clear();
    elastic(scene, 1, ANN, 8, 0, 2, 3, 4, 5, 6, 7);
    elastic(scene, 2, BOB, 8, 1);
    assertThat(called(decide(scene), 1).count()).isEqualTo(3);
    assertThat(decide(scene).lends()).isEmpty();
  }

  @Test
  void one_more_or_less_is_no_reason_for_an_exchange() {
    Scene scene = Scene.of(7);
    elastic(scene, 2, ANN, 8, 0, 2, 3, 4);
    elastic(scene, 1, BOB, 8, 1, 5, 6);

    assertThat(decide(scene).callBacks()).isEmpty();
  }

  @Test
  void the_very_gpu_comes_back_that_somebody_needs() {
    Scene scene = Scene.of(4);
    elastic(scene, 1, ANN, 4, 0, 1, 2, 3);
    var only2 = new GpuFilter(Optional.empty(), List.of(2), List.of());
    scene.waits(wants(2, new Request(1, 0, 0, new GpuRequest.Whole(1), only2)));

    assertThat(called(decide(scene), 1)).isEqualTo(new CallBack(1, List.of(id(2))));
  }

  @Test
  void a_part_of_a_gpu_is_worth_a_call_too() {
    Scene scene = Scene.of(2);
    elastic(scene, 1, ANN, 4, 0, 1);
    scene.waits(wants(2, GpuRequest.part(GpuPart.of(250, 1000))));

    assertThat(called(decide(scene), 1).count()).isOne();
  }

  @Test
  void a_drained_gpu_comes_back() {
    Scene scene = Scene.of(4);
    elastic(scene, 1, ANN, 4, 0, 1, 2);
    scene.is(1, new Availability.Drained("fan"));

    Decision decision = decide(scene);

    assertThat(called(decision, 1)).isEqualTo(new CallBack(1, List.of(id(1))));
    assertThat(decision.lends()).isEmpty();
  }

  @Test
  void loans_count_against_the_limit_of_their_user_and_keep_nobody_else_of_his_from_starting() {
    Scene scene = Scene.of(8);
    var limits = new TreeMap<String, UsageLimits.Cap>();
    limits.put("ann", Caps.ofGpus(4));
    scene.limits = new UsageLimits(UsageLimits.Cap.NONE, limits, new TreeMap<>());
    elastic(scene, 1, ANN, 8, 0);
    assertThat(decide(scene).lends()).hasSize(3);

    scene.holdings.set(0, scene.holdings.getFirst().withLent(gpus(1, 2, 3)));
    scene.waits(wants(2, 2));
    assertThat(scene.starts()).containsExactly("2:[4, 5]");
    scene.book.remove(new JobId(2));
    scene.runs(2, ANN, Optional.empty(), 4, 5);
    assertThat(called(decide(scene), 1).count()).isEqualTo(2);
  }

  // ---- what always holds ----

  static LongStream seeds() {
    return LongStream.range(0, 500);
  }

  /** Elastic jobs on the free GPUs of a random machine, with some GPUs lent already. */
  private Scene random(long seed) {
    var maker = new RandomScene(seed);
    Random random = maker.random;
    Scene scene = maker.busy();
    scene.holdings.replaceAll(h -> h.withLent(List.of()));
    var free =
        new ArrayList<>(scene.gpus.stream().filter(g -> g.usable() || oneIn(random)).toList());
    scene.holdings.forEach(h -> h.gpus().forEach(g -> free.removeIf(f -> f.id().equals(g.gpu()))));
    for (int job = 50; job < 54 && !free.isEmpty(); job++) {
      int most = 1 + random.nextInt(6);
      var filter =
          random.nextInt(3) == 0
              ? new GpuFilter(Optional.empty(), List.of(), List.of(random.nextInt(6)))
              : GpuFilter.ANY;
      borrowers.add(new Borrower(task(job), upTo(most).withFilter(filter), !oneIn(random)));
      var own = new Allocation(List.of(grant(free.removeFirst())), Ranges.EMPTY, 0);
      scene.runs(job, random.nextBoolean() ? ANN : BOB, Optional.empty(), own);
      var lent = new ArrayList<GpuGrant>();
      for (Gpu gpu : List.copyOf(free)) {
        if (lent.size() < most - 1 && gpu.passes(filter) && random.nextInt(3) == 0) {
          lent.add(grant(gpu));
          free.remove(gpu);
        }
      }
      scene.holdings.add(scene.holdings.removeLast().withLent(lent));
    }
    return scene;
  }

  private static boolean oneIn(Random random) {
    return random.nextInt(4) == 0;
  }

  private static GpuGrant grant(Gpu gpu) {
    return new GpuGrant(gpu.id(), gpu.index(), GpuPart.WHOLE, gpu.memory());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void no_gpu_is_lent_twice_nor_more_than_the_bound_nor_what_others_need(long seed) {
    Scene scene = random(seed);
    Decision decision = decide(scene);

    var taken = new ArrayList<GpuId>();
    scene.holdings.forEach(h -> h.gpus().forEach(g -> taken.add(g.gpu())));
    scene.plan().starts().forEach(s -> s.allocation().gpus().forEach(g -> taken.add(g.gpu())));
    scene.plan().reservation().ifPresent(r -> taken.addAll(r.gpus()));
    assertThat(decision.lends()).extracting(l -> l.grant().gpu()).doesNotHaveDuplicates();
    for (Lend lend : decision.lends()) {
      Borrower to = borrower(lend.task());
      Gpu gpu = gpu(scene, lend.grant().gpu());
      assertThat(taken).doesNotContain(gpu.id());
      assertThat(gpu.usable() && gpu.passes(to.request().filter()) && to.asks()).isTrue();
      assertThat(after(scene, decision, to.task())).isLessThanOrEqualTo(to.request().mostGpus());
    }
    decision
        .callBacks()
        .forEach(
            (task, call) -> {
              List<GpuId> lent = holding(scene, task).lent().stream().map(g -> g.gpu()).toList();
              assertThat(lent).containsAll(call.from());
              assertThat(call.count()).isBetween(1, call.from().size());
            });
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void when_all_did_as_they_were_asked_it_comes_to_rest(long seed) {
    Scene scene = random(seed);
    for (int round = 0; round < 40; round++) {
      Decision decision = decide(scene);
      List<Plan.Start> starts = scene.plan().starts();
      if (decision.lends().isEmpty() && decision.callBacks().isEmpty() && starts.isEmpty()) {
        even(scene);
        return;
      }
      starts.forEach(s -> start(scene, s));
      if (starts.isEmpty()) {
        follow(scene, decision);
      }
    }
    throw new AssertionError("GPUs go to and fro: " + decide(scene));
  }

  /** At rest nobody waits who could start, and nobody has two more than one who could use them. */
  private void even(Scene scene) {
    List<Holding> own = scene.holdings.stream().map(h -> h.withLent(List.of())).toList();
    var back = new PlanningView(NOW, scene.machine(), own, scene.book, scene.limits);
    assertThat(Planner.plan(back).starts()).isEmpty();
    if (!scene.limits.equals(UsageLimits.NONE)) {
      return;
    }
    for (Borrower poor : borrowers) {
      int has = holding(scene, poor.task()).gpus().size();
      for (Borrower rich : borrowers) {
        Holding theirs = holding(scene, rich.task());
        boolean useful =
            theirs.lent().stream()
                .map(g -> gpu(scene, g.gpu()))
                .anyMatch(g -> g.usable() && g.passes(poor.request().filter()));
        boolean wants = poor.asks() && has < poor.request().mostGpus();
        assertThat(wants && useful && theirs.gpus().size() > has + 1).isFalse();
      }
    }
  }

  private static void start(Scene scene, Plan.Start start) {
    Candidate c = scene.book.get(start.job()).orElseThrow();
    scene.holdings.add(
        new Holding(
            new TaskId(c.job(), scene.holdings.size(), 0),
            c.owner(),
            c.project(),
            start.allocation(),
            NOW,
            c.endIfStarted(NOW)));
    scene.book.remove(c.job());
    if (c.tasks() > 1) {
      scene.book.put(Scene.tasks(c.tasks() - 1, c));
    }
  }

  private static void follow(Scene scene, Decision decision) {
    for (int i = 0; i < scene.holdings.size(); i++) {
      Holding h = scene.holdings.get(i);
      CallBack call = decision.callBacks().getOrDefault(h.task(), CallBack.NONE);
      var lent = new ArrayList<>(h.lent());
      call.from().stream().limit(call.count()).forEach(c -> lent.removeIf(g -> g.gpu().equals(c)));
      decision.lends().stream()
          .filter(l -> l.task().equals(h.task()))
          .forEach(l -> lent.add(l.grant()));
      scene.holdings.set(i, h.withLent(lent));
    }
  }

  private Borrower borrower(TaskId task) {
    return borrowers.stream().filter(b -> b.task().equals(task)).findFirst().orElseThrow();
  }

  private static Holding holding(Scene scene, TaskId task) {
    return scene.holdings.stream().filter(h -> h.task().equals(task)).findFirst().orElseThrow();
  }

  private static int after(Scene scene, Decision decision, TaskId task) {
    long more = decision.lends().stream().filter(l -> l.task().equals(task)).count();
    return holding(scene, task).gpus().size() + Math.toIntExact(more);
  }

  private static Gpu gpu(Scene scene, GpuId id) {
    return scene.gpus.stream().filter(g -> g.id().equals(id)).findFirst().orElseThrow();
  }
}
