package gflow.cli;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.FakeGflow;
import gflow.api.Gflow;
import gflow.api.JobView;
import gflow.api.JoinAnswer;
import gflow.api.SampleViews;
import gflow.api.StepAnswer;
import gflow.daemon.StillDaemon;
import gflow.daemon.core.Problem.Kind;
import gflow.daemon.core.Refusal;
import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.Ranges;
import gflow.job.TaskEvent;
import gflow.job.TaskId;
import gflow.job.TaskState;
import gflow.job.Usage;
import gflow.script.order.Defaults;
import gflow.script.order.Partition;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import gflow.store.MemoryStore;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A lab server on one morning: a real service over the jobs of {@link LabJobs}, at twelve. What it
 * was asked is remembered. Only what no service can say without processes is said in its place: of
 * a step and of a program that joins a job, and how job 100, which would be the next, ended.
 */
public final class LabMorning implements AutoCloseable {
  private static final JobRef NEXT = new JobRef.ById(new JobId(100));

  private @Nullable StillDaemon daemon;
  private @Nullable FakeGflow last;
  private boolean changed;

  /** The same morning again: what was only asked goes on, what was changed begins anew. */
  public FakeGflow fresh() {
    if (changed || (last != null && !last.changes().isEmpty())) {
      close();
    }
    last = new FakeGflow(request -> answer(daemon().service(), request));
    return last;
  }

  /** The program of job 42 ends well. */
  public void ends42() {
    var exited = new TaskState.Exited(Exit.OK, Usage.UNKNOWN, false, LabJobs.NOW);
    var id = new AttemptId(new TaskId(new JobId(42)), 2);
    changed = true;
    daemon().loop().happened(id, new TaskEvent.ProgramEnded(exited, true));
  }

  /** It begins when it is first asked: most wrong command lines never come so far. */
  private StillDaemon daemon() {
    StillDaemon running = daemon;
    if (running == null) {
      running = begun();
      daemon = running;
    }
    return running;
  }

  private static StillDaemon begun() {
    try {
      var store = new MemoryStore(new MemoryStore.Disk());
      LabJobs.fill(store);
      var begun = new StillDaemon(setup(), store);
      begun.loop().ask((core, now) -> LabJobs.look(core.inventory(), now));
      begun.problems().report(Kind.DISK, "", "logs: only 1.5G left on /home", "make room");
      return begun;
    } catch (StoreException | Refusal e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    if (daemon != null) {
      daemon.close();
      daemon = null;
    }
    changed = false;
  }

  private static StillDaemon.Setup setup() {
    return new StillDaemon.Setup(
        LabJobs.ALICE,
        LabJobs.stock(),
        defaults(),
        LabJobs.PLACES,
        LabJobs.NOW,
        ZoneOffset.ofHours(1));
  }

  private static Defaults defaults() {
    var half =
        new Partition(
            Optional.of(Duration.ofHours(1)),
            Optional.of(Duration.ofMinutes(10)),
            Ranges.EMPTY,
            OptionalInt.empty(),
            false);
    var any =
        new Partition(Optional.empty(), Optional.empty(), Ranges.EMPTY, OptionalInt.empty(), false);
    return new Defaults(
        Optional.empty(),
        Defaults.NONE.priority(),
        Defaults.NONE.placement(),
        new TreeMap<>(Map.of("short", half, "long", any)));
  }

  private static Answer<?> answer(Gflow service, ApiRequest<?> request) {
    return switch (request) {
      case ApiRequest.Step _ ->
          Answer.ok(new StepAnswer.Never("More processors requested than permitted", ""));
      case ApiRequest.Join(var order, _) -> waits(service, order.job());
      case ApiRequest.Wait(var job) when job.equals(NEXT) ->
          Answer.ok(List.of(SampleViews.job("job_id", 100L, "state", "FAILED", "exit_code", 7L)));
      default -> service.ask(request);
    };
  }

  /** It waits for what it waits for in the queue. */
  private static Answer<?> waits(Gflow service, String job) {
    try {
      Answer<List<JobView>> shown = service.ask(new ApiRequest.Show(JobRefs.one(job)));
      return shown instanceof Answer.Ok<List<JobView>>(var views)
          ? Answer.ok(
              new JoinAnswer.Waits(views.getFirst().jobId(), "" + views.getFirst().reason()))
          : shown;
    } catch (BadInput e) {
      return Answer.refused(e.line());
    }
  }
}
