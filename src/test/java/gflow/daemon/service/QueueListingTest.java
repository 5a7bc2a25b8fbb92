package gflow.daemon.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.api.AttemptView;
import gflow.api.Gflow.JobQuery;
import gflow.api.JobView;
import gflow.daemon.Specs;
import gflow.daemon.core.Core;
import gflow.daemon.core.Inventory;
import gflow.daemon.core.JobFinder;
import gflow.daemon.core.JobFinder.Target;
import gflow.daemon.core.Ledger;
import gflow.daemon.core.OperatorControls;
import gflow.daemon.core.Refusal;
import gflow.daemon.core.Routing;
import gflow.gpu.GpuDevice;
import gflow.job.BlobId;
import gflow.job.Exit;
import gflow.job.GpuId;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobSpec;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Owner;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.TaskNumbers;
import gflow.job.TaskState;
import gflow.job.Usage;
import gflow.local.LocalEngine;
import gflow.plan.UsageLimits;
import gflow.store.Change;
import gflow.store.History.Ended;
import gflow.store.History.PastAttempt;
import gflow.store.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueueListingTest {
  private static final Instant NOW = Specs.T0.plusSeconds(90);
  private static final Owner BEN = new Owner(1001, 100, "ben");
  private static final LogFiles LOGS =
      new LogFiles() {
        @Override
        public Optional<Path> out(Job job, int offset) {
          return Optional.of(Path.of("/logs/" + job.task(offset).number()));
        }

        @Override
        public Optional<Path> err(Job job, int offset) {
          return Optional.empty();
        }
      };

  private final MemoryStore store = new MemoryStore(new MemoryStore.Disk());
  private final Views views = new Views(ZoneOffset.ofHours(2), LOGS, LocalEngine.Binding.NONE);
  private final Core core =
      new Core(new Ledger(store.history()), twoGpus(), Specs.grace(Duration.ZERO), Routing.HERE, 1);

  private static Inventory twoGpus() {
    List<GpuDevice> gpus =
        IntStream.range(0, 2)
            .mapToObj(
                i -> new GpuDevice(new GpuId("GPU-" + i), i, "sim", 1L << 34, Ranges.EMPTY, true))
            .toList();
    var stock = new Inventory.Stock(gpus, true, Ranges.firstN(4), 1L << 36, 0, "boot");
    return new Inventory(stock, OperatorControls.none(UsageLimits.NONE));
  }

  private Job submit(JobSpec spec) {
    return core.submit(spec, Specs.T0);
  }

  private void start(Job job, int offset, int gpu) {
    Job current = core.ledger().job(job.id()).orElseThrow();
    core.ledger().put(current.with(offset, new TaskState.Running(Specs.attempt(1, gpu))), Specs.T0);
  }

  private List<JobView> rows() throws Refusal {
    var query = new JobQuery(List.of(), Set.of(), List.of(), List.of(), Optional.empty(), 0);
    return new QueueListing(core, views, NOW)
        .rows(query, EnumSet.allOf(JobState.class), new JobId(1), 1000)
        .rows();
  }

  @Test
  void waiting_tasks_of_an_array_are_one_row_and_running_ones_have_their_own() throws Refusal {
    Job array = submit(Specs.array(Ranges.ofAll(List.of(3, 5, 7, 9)), 2));
    start(array, 1, 0);

    List<JobView> rows = rows();

    assertThat(rows).extracting(JobView::state).containsExactly("RUNNING", "PENDING");
    JobView running = rows.getFirst();
    assertThat(running.jobId()).isEqualTo(3);
    assertThat(running.arrayJobId()).isEqualTo(1);
    assertThat(running.arrayTaskId()).isEqualTo(5);
    assertThat(running.gpuIds()).containsExactly(0);
    assertThat(running.elapsed()).isEqualTo(90.0);
    assertThat(running.gpuSeconds()).isEqualTo(90.0);
    assertThat(running.startTime()).isEqualTo("2026-03-01T14:00+02:00");
    assertThat(running.logPath()).isEqualTo("/logs/3");
    JobView waiting = rows.getLast();
    assertThat(waiting.arrayTaskId()).isNull();
    assertThat(waiting.arrayTasks()).isEqualTo("3,7,9%2");
    assertThat(waiting.gpuIds()).isEmpty();
  }

  @Test
  void rows_of_jobs_that_share_a_spec_say_what_each_row_says_alone() throws Refusal {
    submit(Specs.gpus(1));
    submit(Specs.gpus(2));
    Job held = core.submit(Specs.gpus(2), Specs.T0.plusMillis(7));
    core.submit(Specs.gpus(2), Specs.T0.plusMillis(8));
    Job again = core.submit(Specs.gpus(2), NOW);
    core.submit(Specs.gpus(2), NOW.plusSeconds(1));
    core.hold(held, Ranges.firstN(1), NOW);
    core.ledger().setbacks().failed(again.id(), "Too many open files", NOW);

    var alone = new ArrayList<JobView>();
    for (Job job : core.ledger().jobs()) {
      alone.addAll(new QueueListing(core, views, NOW).all(job, Ranges.firstN(1)));
    }

    assertThat(rows()).hasSize(6).isEqualTo(alone);
  }

  @Test
  void a_job_that_the_machine_could_not_start_says_why() throws Refusal {
    Job job = submit(Specs.gpus(1));
    core.ledger().setbacks().failed(job.id(), "Too many open files", NOW);

    assertThat(rows().getFirst().reason())
        .isEqualTo("Resources: cannot start: Too many open files");
  }

  @Test
  void a_row_gets_the_attempts_before_it_and_itself_once() throws Refusal {
    Job job = submit(Specs.gpus(1));
    start(job, 0, 1);
    JobView row = rows().getFirst();
    var outcome = new Outcome(JobState.FAILED, Exit.signal(9), Usage.UNKNOWN, NOW, "why");
    var first = new PastAttempt(Specs.attempt(7, 0), outcome);
    var itself = new PastAttempt(Specs.attempt(1, 1), outcome);

    List<AttemptView> attempts = views.withAttempts(row, List.of(first)).attempts();
    assertThat(attempts).extracting(AttemptView::attempt).containsExactly(7, 1);
    assertThat(attempts).extracting(AttemptView::state).containsExactly("FAILED", "RUNNING");
    assertThat(attempts.getFirst())
        .isEqualTo(
            new AttemptView(
                7,
                "FAILED",
                "why",
                "signal",
                0,
                9,
                views.time(Specs.T0),
                views.time(NOW),
                List.of(0)));
    assertThat(attempts.getLast().gpuIds()).containsExactly(1);
    assertThat(views.withAttempts(row, List.of(itself)).attempts()).hasSize(1);
  }

  @Test
  void a_script_is_named_by_its_path() {
    var script = new Program.Script(new BlobId("5".repeat(64)), List.of("--lr", "0.1"));
    JobSpec of =
        Specs.gpus(1)
            .running("outer", script)
            .withLabels(new TreeMap<>(Map.of(JobSpec.SCRIPT, "/home/anna/train.sh")));

    assertThat(Views.command(of)).isEqualTo("/home/anna/train.sh --lr 0.1");
    assertThat(Views.command(of.withLabels(new TreeMap<>()))).isEqualTo("outer --lr 0.1");
  }

  @Test
  void held_tasks_have_a_row_beside_the_waiting_ones() throws Refusal {
    Job array = submit(Specs.array(Ranges.of(10, 14), 0));
    core.hold(array, Ranges.of(1, 2), NOW);

    assertThat(rows()).extracting(JobView::arrayTasks).containsExactly("10,13-14", "11-12");
    assertThat(rows()).extracting(JobView::held).containsExactly(false, true);
    assertThat(rows().getLast().reason()).isEqualTo("JobHeldUser");
  }

  @Test
  void every_wait_has_its_reason() throws Exception {
    Job holder = submit(Specs.gpus(1));
    start(holder, 0, 0);
    submit(Specs.gpus(2));
    submit(Specs.gpus(2));
    submit(SpecEdits.withBegin(Specs.gpus(1), Optional.of(NOW.plusSeconds(60))));
    submit(
        SpecEdits.withDependencies(
            Specs.gpus(1), gflow.script.value.DependencySyntax.parse("afterok:1", false)));
    Job limited = submit(Specs.array(Ranges.of(0, 3), 1));
    start(limited, 0, 1);
    core.ledger().parents().settle();

    assertThat(rows().stream().filter(r -> r.state().equals("PENDING")))
        .extracting(JobView::reason)
        .satisfiesExactly(
            r -> assertThat(r).isEqualTo("Resources"),
            r -> assertThat(r).startsWith("Resources"),
            r -> assertThat(r).startsWith("BeginTime"),
            r -> assertThat(r).isEqualTo("Dependency: 1"),
            r -> assertThat(r).startsWith("JobArrayTaskLimit"));
  }

  @Test
  void a_query_chooses_by_user_name_and_project_and_stops_at_its_limit() throws Refusal {
    submit(Specs.gpus(1));
    submit(Specs.gpus(1).withName("other"));
    submit(Specs.gpus(1));
    var named =
        new JobQuery(List.of(), Set.of(), List.of("anna"), List.of("train"), Optional.empty(), 1);
    QueueListing.Rows rows =
        new QueueListing(core, views, NOW)
            .rows(named, EnumSet.allOf(JobState.class), new JobId(1), 1);
    assertThat(rows.rows()).extracting(JobView::jobId).containsExactly(1L);
    var rest =
        new QueueListing(core, views, NOW)
            .rows(named, EnumSet.allOf(JobState.class), rows.next().orElseThrow(), 0);
    assertThat(rest.rows()).isEmpty();
    assertThat(rows.total() + rest.total()).as("of those that fit").isEqualTo(2);

    Job job = core.ledger().job(new JobId(1)).orElseThrow();
    assertThat(QueueListing.fits(job, named)).isTrue();
    assertThat(
            QueueListing.fits(
                job,
                new JobQuery(List.of(), Set.of(), List.of("ben"), List.of(), Optional.empty(), 0)))
        .isFalse();
    assertThat(
            QueueListing.fits(
                job, new JobQuery(List.of(), Set.of(), List.of(), List.of(), Optional.of("p"), 0)))
        .isFalse();
  }

  @Test
  void an_ended_task_shows_how_and_what_it_cost() {
    Job job = submit(Specs.gpus(1));
    var usage = new Usage(Optional.of(Duration.ofMillis(1500)), OptionalLong.of(4096));
    var killed = new Outcome(JobState.FAILED, Exit.signal(9), usage, NOW, "a note");

    JobView row =
        views.ended(
            new Ended(
                job, Ranges.of(0, 0), Optional.of(Specs.attempt(3, 1)), killed, Duration.ZERO));

    assertThat(row.state()).isEqualTo("FAILED");
    assertThat(row.signal()).isEqualTo(9);
    assertThat(row.reason()).isEqualTo("a note");
    assertThat(row.attempt()).isEqualTo(3);
    assertThat(row.cpuTime()).isEqualTo(1.5);
    assertThat(row.peakMemory()).isEqualTo(4096);

    var dropped = new Outcome(JobState.CANCELLED, Exit.OK, Usage.UNKNOWN, NOW, "");
    JobView never =
        views.ended(new Ended(job, Ranges.of(0, 0), Optional.empty(), dropped, Duration.ZERO));
    assertThat(never.exitCode()).isNull();
    assertThat(never.startTime()).isNull();
    assertThat(never.elapsed()).isNull();
  }

  @Test
  void tasks_that_were_cancelled_together_while_they_waited_are_one_row() {
    Job array = submit(Specs.array(Ranges.of(1, 1_000_000), 2));
    Job after = array.drop(Ranges.of(4, 999_999), NOW, "cancelled by anna");

    JobView rest = views.ended(Ended.dropped(after, Ranges.of(4, 999_999)));
    assertThat(rest.arrayTasks()).isEqualTo("5-1000000%2");
    assertThat(rest.arrayTaskId()).isNull();
    assertThat(rest.jobId()).isEqualTo(1);
    assertThat(rest.state()).isEqualTo("CANCELLED");
    assertThat(rest.reason()).isEqualTo("cancelled by anna");

    JobView one = views.ended(Ended.dropped(after, Ranges.of(4, 4)));
    assertThat(one.arrayTaskId()).isEqualTo(5);
    assertThat(one.arrayTasks()).isNull();
  }

  @Test
  void long_lists_end_where_memory_does() throws Refusal {
    var scarce = new AnswerLimits(10_000, () -> 1_999_999, 0);
    var enough = new AnswerLimits(10_000, () -> 2_000_000, 0);

    scarce.check(998, 999);
    enough.check(999, 1000);
    assertThatThrownBy(() -> scarce.check(999, 1000))
        .hasMessageStartingWith("gflowd has too little memory left for so long a list");
    assertThatThrownBy(() -> scarce.check(1990, 2002)).isInstanceOf(Refusal.class);
  }

  @Test
  void a_job_is_found_by_its_number_that_of_a_task_an_index_or_as_the_last() throws Exception {
    var finder = new JobFinder(store.history());
    submit(Specs.array(Ranges.ofAll(List.of(3, 5, 7)), 0));
    submit(Specs.gpus(1));
    keep();

    var first = new JobRef.ById(new JobId(1));
    var second = new JobRef.ById(new JobId(2));
    var seven = new JobRef.ArrayTask(new JobId(1), 7);
    assertThat(finder.find(first, Specs.ANNA)).isEqualTo(target(1, 3, Ranges.firstN(3), first));
    assertThat(finder.find(second, Specs.ANNA)).isEqualTo(target(1, 3, Ranges.of(0, 0), second));
    assertThat(finder.find(seven, Specs.ANNA)).isEqualTo(target(1, 3, Ranges.of(2, 2), seven));
    assertThat(finder.find(new JobRef.Last(), Specs.ANNA).job()).isEqualTo(new JobId(5));

    submit(Specs.array(Ranges.ofAll(List.of(3, 5)), 0));
    var past = finder.past(List.of(new JobRef.LastTask(5)), Specs.ANNA);
    assertThat(JobFinder.resolved(core, new JobRef.LastTask(5), past, Specs.ANNA))
        .hasToString("6_5");
    keep();
    assertThat(finder.find(new JobRef.LastTask(5), Specs.ANNA))
        .isEqualTo(target(6, 2, Ranges.of(1, 1), new JobRef.ArrayTask(new JobId(6), 5)));

    for (JobRef none :
        List.of(
            new JobRef.LastTask(4),
            new JobRef.ById(new JobId(9)),
            new JobRef.ArrayTask(new JobId(1), 4),
            new JobRef.ArrayTask(new JobId(2), 5),
            new JobRef.ArrayTask(new JobId(4), 0))) {
      assertThatThrownBy(() -> finder.find(none, Specs.ANNA))
          .isInstanceOf(Refusal.class)
          .hasMessage("there is no job " + none + " (gqueue -s all lists those that ended)");
    }
    assertThatThrownBy(() -> finder.find(new JobRef.Last(), BEN))
        .hasMessage("@: you have not submitted a job yet");
  }

  private static Target target(long job, int count, Ranges offsets, JobRef ref) {
    return new Target(new TaskNumbers(new JobId(job), 1, count), offsets, ref);
  }

  private void keep() throws Exception {
    var changes = new ArrayList<Change>();
    changes.add(new Change.PutBlob(Specs.gpus(1).scene().environment(), new byte[] {1}));
    changes.addAll(core.changes());
    store.commit(changes);
    core.settle();
  }
}
