package gflow.daemon.service;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.Gflow.Done;
import gflow.api.Gflow.Selection;
import gflow.daemon.Specs;
import gflow.daemon.StillDaemon;
import gflow.daemon.core.Loop;
import gflow.job.Exit;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Ranges;
import gflow.job.TaskState;
import gflow.job.Usage;
import gflow.store.Change;
import gflow.store.MemoryStore;
import gflow.store.Store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is said to those who are too late. */
class EditingTest {
  private final MemoryStore store = new MemoryStore(new MemoryStore.Disk());
  private final StillDaemon daemon = new StillDaemon(StillDaemon.Setup.bare(), store);
  private final Loop loop = daemon.loop();
  private final Editing editing = daemon.parts().editing();

  EditingTest() throws StoreException {}

  @AfterEach
  void stop() {
    daemon.close();
  }

  /** Each of its tasks has ended so. */
  private void ended(Job job, JobState... states) throws Exception {
    var changes = new ArrayList<Change>();
    var environment = job.spec().scene().environment();
    changes.add(new Change.PutBlob(environment, "A=1".getBytes(StandardCharsets.UTF_8)));
    changes.add(new Change.Submit(job));
    Job over = job;
    for (int k = 0; k < states.length; k++) {
      var outcome = new Outcome(states[k], Exit.OK, Usage.UNKNOWN, Specs.T0, "");
      var attempt = Specs.attempt(1, 0);
      var id = new gflow.job.AttemptId(job.task(k), 1);
      changes.add(new Change.AttemptStarted(id, attempt));
      changes.add(new Change.AttemptEnded(id, attempt, outcome));
      over = over.with(k, new TaskState.Ended(Optional.of(attempt), outcome));
    }
    changes.add(new Change.Progress(over));
    store.commit(changes);
  }

  @Test
  void who_is_too_late_hears_how_it_ended_and_what_to_do() throws Exception {
    ended(Job.submitted(new JobId(7), Specs.gpus(0), Specs.T0), JobState.TIMEOUT);
    List<JobRef> seven = List.of(new JobRef.ById(new JobId(7)));
    var options = new TreeMap<>(Map.of("priority", "20"));
    var late = new Done("7", false, "had ended: TIMEOUT; gjob redo 7 submits it again");

    assertThat(editing.hold(seven, Specs.ANNA)).containsExactly(late);
    assertThat(editing.release(seven, Optional.empty(), Specs.ANNA)).containsExactly(late);
    assertThat(editing.update(seven, options, Optional.empty(), Specs.ANNA)).containsExactly(late);
    assertThat(editing.update(seven, options, Optional.of("key"), Specs.ANNA))
        .isEqualTo(editing.update(seven, options, Optional.of("key"), Specs.ANNA))
        .containsExactly(late);
  }

  /** The fuzzer found it: seed 2. */
  @Test
  void a_key_that_was_used_for_other_jobs_gets_its_first_answer() throws Exception {
    ended(Job.submitted(new JobId(7), Specs.gpus(0), Specs.T0), JobState.TIMEOUT);
    ended(Job.submitted(new JobId(8), Specs.gpus(0), Specs.T0), JobState.FAILED);
    JobRef seven = new JobRef.ById(new JobId(7));
    JobRef eight = new JobRef.ById(new JobId(8));
    var options = new TreeMap<>(Map.of("priority", "20"));
    var key = Optional.of("key");
    editing.update(List.of(eight, seven), options, key, Specs.ANNA);

    assertThat(editing.update(List.of(seven), options, key, Specs.ANNA))
        .containsExactly(new Done("8", false, "had ended"), new Done("7", false, "had ended"));
  }

  @Test
  void of_an_array_all_ends_are_named() throws Exception {
    var array = Job.submitted(new JobId(7), Specs.array(Ranges.of(3, 4), 0), Specs.T0);
    ended(array, JobState.COMPLETED, JobState.FAILED);

    assertThat(editing.hold(List.of(new JobRef.Last()), Specs.ANNA))
        .containsExactly(
            new Done("7", false, "had ended: COMPLETED, FAILED; gjob redo 7 submits it again"));
    assertThat(editing.hold(List.of(new JobRef.LastTask(4)), Specs.ANNA))
        .containsExactly(new Done("7_4", false, "had ended: FAILED; gjob redo 7 submits it again"));
  }

  @Test
  void of_an_array_only_what_is_held_is_cancelled() throws Exception {
    Job array =
        Job.submitted(new JobId(7), Specs.array(Ranges.of(0, 9), 0), Specs.T0)
            .hold(Ranges.of(0, 3));
    ended(array);
    loop.ask(
        (core, now) -> {
          core.ledger().put(array, now);
          return now;
        });
    List<JobRef> named = List.of(new JobRef.ById(array.id()));
    var held =
        new Selection(
            named, Set.of(JobState.PENDING), Optional.of(true), List.of(), List.of(), false);

    assertThat(editing.cancel(held, Specs.ANNA)).containsExactly(new Done("7", true, "cancelled"));
    assertThat(editing.cancel(held, Specs.ANNA))
        .containsExactly(new Done("7", false, "is not in these states"));
    assertThat(store.history().job(array.id()).orElseThrow().dropped().tasks())
        .isEqualTo(Ranges.of(0, 3));
  }
}
