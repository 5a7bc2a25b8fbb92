package gflow.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.api.Gflow.Done;
import gflow.api.Gflow.JobList;
import gflow.api.Gflow.JobQuery;
import gflow.api.Gflow.Selection;
import gflow.api.JobView;
import gflow.config.Config;
import gflow.daemon.core.Ledger;
import gflow.daemon.core.Loop;
import gflow.daemon.core.Recovery;
import gflow.daemon.core.Refusal;
import gflow.daemon.service.AnswerLimits;
import gflow.daemon.service.Editing;
import gflow.daemon.service.FenceRule;
import gflow.daemon.service.JobChanges;
import gflow.daemon.service.MpsRule;
import gflow.daemon.service.Querying;
import gflow.daemon.service.QueueListing;
import gflow.daemon.service.SpecEdits;
import gflow.daemon.service.Submitting;
import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.Dependencies.Kind;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobSpec;
import gflow.job.JobState;
import gflow.job.Ranges;
import gflow.script.order.Defaults;
import gflow.script.order.Order;
import gflow.store.Change;
import gflow.store.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Questions about very many jobs, over or not. The loop never waits for the history, and never
 * changes or lists more than a slice of them in one turn.
 */
@Execution(ExecutionMode.CONCURRENT)
class LongQuestionsTest {
  /** More than SQLite takes as values of one statement. */
  private static final int MANY = 33_000;

  @TempDir Path folder;
  private WatchedStore store;
  private Loop loop;
  private StillDaemon daemon;
  private Submitting submitting;
  private Editing editing;

  @BeforeEach
  void start() throws Exception {
    store = new WatchedStore(SqliteStore.open(folder.resolve("db")));
    daemon = new StillDaemon(StillDaemon.Setup.bare(), store);
    loop = daemon.loop();
    submitting = daemon.parts().submitting();
    editing = daemon.parts().editing();
  }

  @AfterEach
  void stop() {
    daemon.close();
    store.close();
  }

  private static List<JobRef> refs(int count) {
    return LongStream.rangeClosed(1, count)
        .<JobRef>mapToObj(n -> new JobRef.ById(new JobId(n)))
        .toList();
  }

  private static JobQuery query(List<JobRef> jobs, int limit) {
    return new JobQuery(jobs, Set.of(), List.of(), List.of(), Optional.empty(), limit);
  }

  private void submit(int count) throws Refusal {
    loop.ask(
        (core, now) -> {
          var environment = Specs.gpus(1).scene().environment();
          core.note(new Change.PutBlob(environment, new byte[] {1}));
          for (int i = 0; i < count; i++) {
            core.submit(Specs.gpus(1), now);
          }
          return now;
        });
  }

  private void cancelled(int count) throws Refusal {
    submit(count);
    editing.cancel(Selection.ALL, Specs.ANNA);
    store.forget();
  }

  private JobList list(JobQuery query, AnswerLimits room) throws Refusal {
    return new Querying(daemon.context(), new NoLogs(), room).jobs(query, Specs.ANNA);
  }

  @Test
  void those_that_are_over_are_listed_and_changed_without_a_look_at_the_history_by_the_loop()
      throws Refusal {
    cancelled(MANY);
    var room = new AnswerLimits(MANY, () -> Long.MAX_VALUE, 0);

    assertThat(list(query(refs(MANY), 0), room).jobs()).hasSize(MANY);
    assertThat(editing.hold(refs(MANY), Specs.ANNA))
        .hasSize(MANY)
        .startsWith(
            new Done("1", false, "had ended: CANCELLED; gjob redo 1 submits it again"),
            new Done("2", false, "had ended: CANCELLED; gjob redo 2 submits it again"))
        .noneMatch(Done::changed);
    assertThat(editing.cancel(Selection.of(refs(MANY + 1)), Specs.ANNA))
        .hasSize(MANY + 1)
        .startsWith(new Done("1", false, "had ended: CANCELLED"))
        .endsWith(new Done("" + (MANY + 1), false, "no such job"));
    assertThat(store.askedByTheLoop()).isEmpty();
  }

  @Test
  void so_are_very_many_parents_and_again_after_each_change_and_start() throws Exception {
    cancelled(MANY);
    var list = new ArrayList<Dependency>();
    refs(MANY).forEach(r -> list.add(new Dependency(Kind.AFTERANY, Optional.of(r), Duration.ZERO)));
    var wanted = new Dependencies(false, list, true);
    JobSpec spec = SpecEdits.withDependencies(Specs.gpus(1), wanted);
    var asking = new Submitting.Asking(Specs.ANNA, submitting.parents(List.of(wanted), Specs.ANNA));
    Job child = loop.ask((core, now) -> submitting.queue(core, spec, asking, "", now));
    List<JobRef> named = List.of(new JobRef.ById(child.id()));

    assertThat(editing.hold(named, Specs.ANNA)).allMatch(Done::changed);
    assertThat(editing.release(named, Optional.empty(), Specs.ANNA)).allMatch(Done::changed);
    assertThat(loop.<Boolean>look(core -> core.ledger().book().get(child.id()).isPresent()))
        .isTrue();
    assertThat(store.askedByTheLoop()).isEmpty();

    var ledger = new Ledger(store.history());
    int before = store.asked();
    new Recovery().fill(ledger, store.load(), Specs.grace(Duration.ZERO), Specs.T0);
    assertThat(ledger.book().get(child.id())).isPresent();
    assertThat(store.asked() - before).isEqualTo(1);
  }

  @Test
  void very_many_are_cancelled_and_held_some_at_a_time() throws Refusal {
    int count = 2 * JobChanges.SLICE + 10;
    submit(count);
    store.forget();

    assertThat(editing.hold(refs(count), Specs.ANNA)).hasSize(count).allMatch(Done::changed);
    assertThat(editing.cancel(Selection.ALL, Specs.ANNA))
        .hasSize(count)
        .startsWith(new Done("1", true, "cancelled"))
        .endsWith(new Done("" + count, true, "cancelled"));
    assertThat(store.commits()).hasSize(6).allMatch(size -> size <= JobChanges.SLICE);
    assertThat(loop.<Boolean>look(core -> core.ledger().jobs().isEmpty())).isTrue();
  }

  /** Each of them alone would copy all the gaps that the others left. */
  @Test
  void every_second_task_of_an_array_is_one_change() throws Refusal {
    submit(1);
    loop.ask((core, now) -> core.submit(Specs.array(Ranges.of(0, 99_999), 0), now));
    store.forget();
    var odd = new ArrayList<JobRef>();
    for (int i = 1; i < 100_000; i += 2) {
      odd.add(new JobRef.ArrayTask(new JobId(2), i));
    }

    assertThat(editing.cancel(Selection.of(odd), Specs.ANNA))
        .hasSize(50_000)
        .allMatch(Done::changed);
    assertThat(store.commits()).containsExactly(1);
  }

  @Test
  void a_list_comes_in_slices_and_one_that_is_too_long_is_refused() throws Refusal {
    int count = 2 * QueueListing.SLICE + 10;
    submit(count);
    var enough = new AnswerLimits(count, () -> Long.MAX_VALUE, 0);
    var scarce = new AnswerLimits(3, () -> 1, 0);

    assertThat(list(query(List.of(), 0), enough).jobs())
        .hasSize(count)
        .extracting(JobView::jobId)
        .isSorted();
    assertThat(list(query(List.of(), 0), enough).total()).isEqualTo(count);
    assertThat(list(query(refs(count), 0), enough).jobs()).hasSize(count);
    assertThatThrownBy(() -> list(query(List.of(), 0), scarce))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("the list has more than 3 rows: narrow it by job");
    assertThat(list(query(List.of(), 3), scarce).jobs()).hasSize(3);
    var pending =
        new JobQuery(
            refs(3),
            Set.of(JobState.PENDING),
            List.of(),
            List.of("train"),
            Optional.empty(),
            Optional.empty(),
            0);
    assertThat(list(pending, enough).jobs()).hasSize(3);
  }

  private static Order order(String word) {
    var origin = new Order.Origin(Specs.ANNA, "/work", "A=1\0".getBytes(UTF_8), 0022, List.of());
    return new Order(
        new TreeMap<>(Map.of("hold", List.of(""))),
        new Order.Body.Command(List.of("echo", word)),
        origin,
        new TreeMap<>());
  }

  @Test
  void equal_jobs_are_one_spec_and_alike_ones_share_the_rest_also_after_a_start() throws Exception {
    for (String word : List.of("a", "a", "b")) {
      submitting.submit(List.of(order(word)), Optional.empty(), Specs.ANNA);
    }
    sharing(loop.look(core -> List.copyOf(core.ledger().jobs())));
    sharing(store.load().jobs());
  }

  private static void sharing(List<Job> jobs) {
    assertThat(jobs.get(1).spec()).isSameAs(jobs.get(0).spec());
    assertThat(jobs.get(2).spec()).isNotSameAs(jobs.get(1).spec());
    assertThat(jobs.get(2).spec().scene()).isSameAs(jobs.get(1).spec().scene());
    assertThat(jobs.get(2).spec().terms()).isSameAs(jobs.get(1).spec().terms());
    assertThat(jobs.get(2).spec().labels()).isSameAs(jobs.get(1).spec().labels());
    assertThat(jobs.get(2).spec().name()).isSameAs(jobs.get(1).spec().name());
    assertThat(jobs.get(2).held()).isSameAs(jobs.get(1).held());
  }

  @Test
  void jobs_that_the_heap_has_no_room_for_are_refused_before_anything_is_done() throws Exception {
    loop.look(core -> true);
    var before = List.copyOf(store.commits());
    var rules =
        new Submitting.Rules(
            Defaults.NONE,
            new Config.Limits(OptionalInt.empty(), OptionalInt.empty(), 1000, 100_000),
            spec -> Optional.empty(),
            FenceRule.NONE,
            MpsRule.NONE);
    var full =
        new Submitting(daemon.context(), new NoLogs(), rules, new AnswerLimits(1, () -> 2000, 500));

    assertThatThrownBy(
            () -> full.submit(List.of(order("a"), order("b")), Optional.of("key"), Specs.ANNA))
        .isInstanceOf(Refusal.class)
        .hasMessage(
            "gflowd has too little memory for 2 more waiting jobs: submit fewer at a time, make"
                + " them one array, or give it more, as in GFLOW_JAVA_OPTIONS=-Xmx1g gflowd"
                + " restart");
    assertThat(store.commits()).isEqualTo(before);
  }
}
