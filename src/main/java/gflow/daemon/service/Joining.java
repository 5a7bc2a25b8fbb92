package gflow.daemon.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gflow.api.JoinAnswer;
import gflow.api.JoinOrder;
import gflow.daemon.core.Core;
import gflow.daemon.core.JobFinder.Target;
import gflow.daemon.core.Refusal;
import gflow.job.AttemptId;
import gflow.job.Job;
import gflow.job.JobRef;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.Step;
import gflow.job.TaskId;
import gflow.job.TaskState;
import gflow.local.Fence;
import gflow.local.LocalSteps;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets processes into jobs that they are no part of: a shell in a running job, or the program of an
 * allocation, which is a job that only waits until its program, elsewhere, has ended.
 */
public final class Joining {
  private final ServiceContext context;
  private final Querying reading;
  private final LocalSteps local;
  private final Waiters starts;
  private final String host;
  private final Set<Step.Parent> watched = ConcurrentHashMap.newKeySet();

  public Joining(
      ServiceContext context, Querying reading, LocalSteps local, Waiters starts, String host) {
    this.context = context;
    this.reading = reading;
    this.local = local;
    this.starts = starts;
    this.host = host;
  }

  JoinAnswer join(JoinOrder order, Duration patience, Owner caller) throws Refusal {
    var parent = new Step.Parent(order.pid(), order.startTime());
    if (!local.isOf(caller.uid(), parent)) {
      throw new Refusal("process " + order.pid() + " is not one of " + caller.name());
    }
    TaskId task = task(order.job(), caller);
    if (order.holds()) {
      watch(task, parent);
    }
    starts.await(core -> !waits(seen(core, task)), patience);
    return answer(task, parent, caller);
  }

  private TaskId task(String name, Owner caller) throws Refusal {
    JobRef ref = ref(name);
    Target target = context.finder().find(ref, caller);
    Job job = context.finder().whole(target);
    if (job.spec().owner().uid() != caller.uid()) {
      throw new Refusal("job " + name + " is not yours but of " + job.spec().owner().name());
    }
    if (target.offsets().size() > 1) {
      throw new Refusal(
          "job %s has %d tasks; say which, as %s_%d"
              .formatted(name, target.offsets().size(), job.id(), job.spec().tasks().index(0)));
    }
    return job.task(target.offsets().first());
  }

  private static JobRef ref(String name) throws Refusal {
    try {
      return JobRefs.one(name);
    } catch (BadInput e) {
      throw new Refusal(e.line());
    }
  }

  private static Optional<TaskState> seen(Core core, TaskId task) {
    return core.ledger()
        .job(task.job())
        .filter(job -> !Querying.ended(job, task.offset()))
        .map(job -> job.state(task.offset()));
  }

  private static boolean waits(Optional<TaskState> state) {
    return state
        .filter(s -> s instanceof TaskState.Pending || s instanceof TaskState.Starting)
        .isPresent();
  }

  private JoinAnswer answer(TaskId task, Step.Parent parent, Owner caller) throws Refusal {
    Optional<TaskState> state = context.loop().look(core -> seen(core, task));
    long number = task.number().value();
    if (state.orElse(null) instanceof TaskState.Running(var attempt)) {
      Optional<LocalSteps.Entrance> entrance = enter(new AttemptId(task, attempt.number()), parent);
      if (entrance.isPresent()) {
        return joined(number, entrance.get());
      }
    }
    var row = reading.show(new JobRef.ById(task.number()), caller).getFirst();
    String why = Optional.ofNullable(row.reason()).orElse("");
    return waits(state)
        ? new JoinAnswer.Waits(number, why)
        : new JoinAnswer.Over(number, row.state(), why);
  }

  private Optional<LocalSteps.Entrance> enter(AttemptId id, Step.Parent parent) throws Refusal {
    boolean fenced =
        context
            .loop()
            .look(
                core ->
                    core.ledger()
                        .job(id.task().job())
                        .filter(job -> job.spec().fence().isPresent())
                        .isPresent());
    try {
      return local.enter(id, parent, fenced);
    } catch (Fence.FencedOff e) {
      throw new Refusal("job " + id.task().number() + " cannot be joined: " + e.getMessage());
    }
  }

  private JoinAnswer joined(long number, LocalSteps.Entrance entrance) {
    return new JoinAnswer.Joined(
        number,
        host,
        new String(entrance.environment(), ISO_8859_1),
        entrance.slurmsNames(),
        entrance.reason(),
        entrance.env(),
        entrance.fence());
  }

  /** One that has started sees by itself that its holder is gone. */
  private void watch(TaskId task, Step.Parent parent) {
    if (watched.add(parent)) {
      local.whenGone(
          parent,
          () -> {
            watched.remove(parent);
            Thread.ofVirtual().start(() -> withdraw(task));
          });
    }
  }

  private void withdraw(TaskId task) {
    try {
      context
          .loop()
          .ask(
              (core, now) ->
                  seen(core, task).filter(TaskState.Pending.class::isInstance).isPresent()
                      ? core.cancel(
                          core.ledger().job(task.job()).orElseThrow(),
                          Ranges.of(task.offset(), task.offset()),
                          "the end of its client",
                          now)
                      : 0);
    } catch (Refusal e) {
      // The daemon goes down; a job without a holder ends when it starts.
    }
  }
}
