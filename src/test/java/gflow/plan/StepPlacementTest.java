package gflow.plan;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.StepRequest;
import gflow.job.StepRequest.Bind;
import gflow.job.StepRequest.Gpus;
import gflow.job.StepRequest.Memory;
import gflow.job.TaskId;
import gflow.plan.StepPlacement.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which steps run side by side, as the table of a live Slurm 24.11 has it. */
class StepPlacementTest {
  private static final long GB = 1L << 30;

  /** A job that has been started: what it asked for, and what it got. */
  private record Started(Request request, Allocation allocation) {}

  private static Started job(int ntasks, int cpusPerTask, int gpus, long memory) {
    GpuRequest wanted = gpus == 0 ? new GpuRequest.None() : new GpuRequest.Whole(gpus);
    var request = new Request(ntasks, cpusPerTask, memory, wanted, GpuFilter.ANY);
    var grants =
        IntStream.range(0, gpus)
            .mapToObj(i -> new GpuGrant(new GpuId("gpu-" + i), i, GpuPart.WHOLE, 0))
            .toList();
    return new Started(request, new Allocation(grants, Ranges.firstN(request.cpus()), memory));
  }

  private static StepRequest step(boolean exact, Memory memory, Gpus gpus) {
    return new StepRequest(1, 1, exact, false, memory, gpus);
  }

  @Test
  void what_is_more_than_an_int_can_count_never_fits() {
    Started job = job(4, 1, 2, 8 * GB);
    for (boolean exact : List.of(true, false)) {
      var wide =
          new StepRequest(65_536, 65_536, exact, false, new Memory.OfTheJob(), new Gpus.OfTheJob());
      assertThat(fit(job, List.of(), wide))
          .isEqualTo(new Verdict.Never("More processors requested than permitted", ""));
    }
    assertThat(fit(job, List.of(), step(true, new Memory.PerCpu(Long.MAX_VALUE), one())))
        .isEqualTo(new Verdict.Never("Memory required by task is not available", ""));
    var huge = new StepRequest(4, 1, false, false, new Memory.PerCpu(1L << 62), one());
    assertThat(fit(job, List.of(), huge))
        .isEqualTo(new Verdict.Never("Memory required by task is not available", ""));
  }

  private static Gpus one() {
    return new Gpus.Count(1, Optional.empty());
  }

  private static final StepRequest IDIOM = step(true, new Memory.OfTheJob(), one());

  /** Starts steps one after the other, as long as they fit. */
  private static List<Step> together(Started job, StepRequest request, int count) {
    var running = new ArrayList<Step>();
    for (int i = 0; i < count; i++) {
      if (fit(job, running, request) instanceof Verdict.Fits(Step.Share share)) {
        running.add(running(i, request, share));
      }
    }
    return running;
  }

  private static Verdict fit(Started job, List<Step> running, StepRequest request) {
    return StepPlacement.fit(job.allocation(), job.request(), running, request);
  }

  private static Step running(int number, StepRequest request, Step.Share share) {
    var id = new StepId(new AttemptId(new TaskId(new JobId(2)), 1), number);
    return new Step(
        id,
        "x",
        request.tasks(),
        request.overlap(),
        share,
        new Step.Parent(100 + number, 1),
        Instant.EPOCH,
        Optional.empty());
  }

  private static List<Integer> gpus(List<Step> steps) {
    return steps.stream().flatMap(s -> s.share().gpus().stream()).map(GpuGrant::index).toList();
  }

  @Test
  void the_idiom_runs_four_side_by_side_each_on_its_own_gpu() {
    var steps = together(job(4, 0, 4, 0), IDIOM, 4);

    assertThat(gpus(steps)).containsExactly(0, 1, 2, 3);
    assertThat(steps)
        .extracting(s -> s.share().cpuIds().toString())
        .containsExactly("0", "1", "2", "3");
  }

  @Test
  void of_six_four_run_and_two_wait_and_nothing_would_help_them() {
    var job = job(4, 0, 4, 0);
    var steps = together(job, IDIOM, 6);

    assertThat(steps).hasSize(4);
    assertThat(fit(job, steps, IDIOM))
        .isEqualTo(new Verdict.Waits("needs 1 CPU, 0 of 4 free; 1 GPU, 0 of 4 free", List.of()));
    assertThat(fit(job, steps.subList(1, 4), IDIOM)).isInstanceOf(Verdict.Fits.class);
  }

  @Test
  void without_exact_a_step_takes_all_cpus_and_the_next_is_told() {
    var job = job(4, 0, 4, 0);
    var step = step(false, new Memory.OfTheJob(), one());
    var first = together(job, step, 4);

    assertThat(first).hasSize(1);
    assertThat(first.getFirst().share().cpus()).isEqualTo(4);
    assertThat(fit(job, first, step))
        .isEqualTo(
            new Verdict.Waits(
                "needs 4 CPUs, 0 of 4 free; steps that each say --exact run side by side",
                List.of()));
    assertThat(fit(job, together(job, IDIOM, 1), step))
        .isEqualTo(new Verdict.Waits("needs 4 CPUs, 3 of 4 free", List.of("--exact")));
  }

  @Test
  void a_step_inherits_the_gpus_of_the_job_and_the_next_is_told() {
    var job = job(4, 0, 4, 0);
    var step = step(true, new Memory.OfTheJob(), new Gpus.OfTheJob());
    var first = together(job, step, 4);

    assertThat(gpus(first)).containsExactly(0, 1, 2, 3);
    assertThat(fit(job, first, step))
        .isEqualTo(new Verdict.Waits("needs 4 GPUs, 0 of 4 free", List.of("--gres=none")));
    assertThat(fit(job, together(job, IDIOM, 1), step))
        .isEqualTo(new Verdict.Waits("needs 4 GPUs, 3 of 4 free", List.of("--gres=gpu:1")));
  }

  @Test
  void steps_without_gpus_run_side_by_side() {
    var none = step(true, new Memory.OfTheJob(), new Gpus.None());

    assertThat(together(job(4, 0, 4, 0), none, 4)).hasSize(4);
  }

  @Test
  void a_job_of_one_task_has_one_cpu_and_so_one_step_at_a_time() {
    assertThat(together(job(1, 0, 4, 0), IDIOM, 4)).hasSize(1);
  }

  @Test
  void a_step_inherits_the_memory_of_the_job_and_the_next_is_told() {
    var job = job(4, 0, 4, 4 * GB);
    var first = together(job, IDIOM, 4);

    assertThat(first).hasSize(1);
    assertThat(fit(job, first, IDIOM))
        .isEqualTo(new Verdict.Waits("needs 4096 MB, 0 of 4096 free", List.of("--mem=0")));
  }

  @Test
  void with_memory_of_their_own_they_run_side_by_side() {
    var job = job(4, 0, 4, 4 * GB);

    assertThat(together(job, step(true, new Memory.Bytes(GB), one()), 4)).hasSize(4);
    assertThat(together(job, step(true, new Memory.PerCpu(GB), one()), 4)).hasSize(4);
    assertThat(together(job, step(true, new Memory.Shared(), one()), 4)).hasSize(4);
  }

  @Test
  void two_gpus_let_two_of_four_run() {
    assertThat(gpus(together(job(8, 0, 2, 0), IDIOM, 4))).containsExactly(0, 1);
  }

  @Test
  void the_cpus_of_a_task_are_inherited_so_one_task_of_four_cpus_is_alone() {
    var step = new StepRequest(1, 4, true, false, new Memory.OfTheJob(), one());

    assertThat(together(job(1, 4, 4, 0), step, 4)).hasSize(1);
  }

  @Test
  void who_overlaps_shares_everything_and_counts_nothing() {
    var job = job(1, 0, 4, 0);
    var step = new StepRequest(1, 1, false, true, new Memory.OfTheJob(), one());
    var steps = together(job, step, 4);

    assertThat(gpus(steps)).containsExactly(0, 0, 0, 0);
    assertThat(fit(job, steps, IDIOM)).isInstanceOf(Verdict.Fits.class);
  }

  @Test
  void what_the_job_does_not_have_is_refused_in_the_words_of_slurm() {
    var job = job(4, 0, 4, GB);
    var wide = new StepRequest(5, 1, true, false, new Memory.Shared(), new Gpus.None());
    var gpus = step(true, new Memory.Shared(), new Gpus.Count(5, Optional.empty()));
    var typed = step(true, new Memory.Shared(), new Gpus.Count(1, Optional.of("h100")));
    var memory = step(true, new Memory.Bytes(2 * GB), one());

    assertThat(fit(job, List.of(), wide))
        .isEqualTo(new Verdict.Never("More processors requested than permitted", ""));
    assertThat(fit(job, List.of(), gpus))
        .isEqualTo(
            new Verdict.Never(
                "Invalid generic resource (gres) specification",
                "Step requested gres_per_node=gpu:5 is more than the job's gres_per_node=gpu:4"));
    assertThat(fit(job, List.of(), typed))
        .isEqualTo(
            new Verdict.Never(
                "Invalid generic resource (gres) specification",
                "Step requested GRES (gpu:h100) not found in the job"));
    assertThat(fit(job, List.of(), memory))
        .isEqualTo(new Verdict.Never("Memory required by task is not available", ""));
  }

  @Test
  void gpus_go_to_tasks_as_they_are_bound() {
    var gpus = List.of(0, 1, 2, 3);

    assertThat(each(new Bind.All(), gpus)).containsOnly(gpus);
    assertThat(each(new Bind.PerTask(1), gpus)).containsExactly(l(0), l(1), l(2), l(3));
    assertThat(each(new Bind.PerTask(2), gpus).subList(0, 2)).containsExactly(l(0, 1), l(2, 3));
    assertThat(each(new Bind.Single(1), gpus)).containsExactly(l(0), l(1), l(2), l(3));
    assertThat(each(new Bind.Single(2), gpus)).containsExactly(l(0), l(0), l(1), l(1));
    assertThat(each(new Bind.Map(List.of(l(3), l(2), l(1), l(0))), gpus))
        .containsExactly(l(3), l(2), l(1), l(0));
    assertThat(each(new Bind.Map(List.of(l(0, 1), l(2, 3))), gpus))
        .containsExactly(l(0, 1), l(2, 3), l(0, 1), l(2, 3));
    assertThat(new Bind.Single(1).of(5, List.of())).isEmpty();
  }

  private static List<List<Integer>> each(Bind bind, List<Integer> gpus) {
    return IntStream.range(0, 4).mapToObj(task -> bind.of(task, gpus)).toList();
  }

  private static List<Integer> l(Integer... numbers) {
    return List.of(numbers);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void steps_never_get_more_than_the_job_has(long seed) {
    var random = new Random(seed);
    var job = job(8, 0, 4, 8 * GB);
    var running = new ArrayList<Step>();
    for (int i = 0; i < 500; i++) {
      if (!running.isEmpty() && random.nextInt(3) == 0) {
        running.remove(random.nextInt(running.size()));
      }
      var request =
          new StepRequest(
              1 + random.nextInt(3),
              1 + random.nextInt(2),
              random.nextInt(4) > 0,
              false,
              random.nextBoolean() ? new Memory.PerCpu(GB) : new Memory.Shared(),
              random.nextBoolean() ? one() : new Gpus.None());
      if (fit(job, running, request) instanceof Verdict.Fits(Step.Share share)) {
        running.add(running(i, request, share));
      }
      assertThat(gpus(running)).doesNotHaveDuplicates();
      assertThat(running.stream().flatMap(s -> s.share().cpuIds().stream().boxed()))
          .doesNotHaveDuplicates();
      assertThat(running.stream().mapToInt(s -> s.share().cpus()).sum()).isLessThanOrEqualTo(8);
      assertThat(running.stream().mapToLong(s -> s.share().memory()).sum())
          .isLessThanOrEqualTo(8 * GB);
    }
  }
}
