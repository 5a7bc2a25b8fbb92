package gflow.daemon.service;

import gflow.api.Gflow.Done;
import gflow.api.GoingDown;
import gflow.api.StepAnswer;
import gflow.api.StepOrder;
import gflow.api.StepView;
import gflow.daemon.core.Core;
import gflow.daemon.core.LoopWork;
import gflow.daemon.core.Refusal;
import gflow.daemon.core.StepBook;
import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.Exit;
import gflow.job.GpuNaming;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Owner;
import gflow.job.Step;
import gflow.job.StepRef;
import gflow.job.TaskId;
import gflow.job.Usage;
import gflow.local.LocalSteps;
import gflow.script.env.SeenGpus;
import gflow.store.History.PastStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Steps: who asks is looked at, waits in its own thread, and is told what it may have. */
public final class Stepping {
  private final ServiceContext context;
  private final LocalSteps local;
  private final String host;
  private final Set<Step.Parent> watched = ConcurrentHashMap.newKeySet();

  public Stepping(ServiceContext context, LocalSteps local, String host) {
    this.context = context;
    this.local = local;
    this.host = host;
  }

  /** Returns as soon as the step may run, or after so long. */
  StepAnswer step(StepOrder order, Duration patience, Owner caller) throws Refusal {
    var number = new JobId(order.jobId());
    var parent = new Step.Parent(order.pid(), order.startTime());
    StepBook.Home home = home(number, parent, caller, order.joined());
    var wish = new StepBook.Wish(parent, order.name(), order.request(), order.timeLimit());
    StepBook.Answer answer =
        context
            .loop()
            .askApart(
                (core, now) -> {
                  if (core.home(number).filter(h -> h.id().equals(home.id())).isEmpty()) {
                    throw completing(number);
                  }
                  return core.steps().ask(home, wish, now);
                });
    return switch (answer) {
      case StepBook.Answer.Runs(Step step) -> granted(step, home, wish);
      case StepBook.Answer.Never(var why) -> new StepAnswer.Never(why.why(), why.detail());
      case StepBook.Answer.Waits(var why, var granted) -> {
        watch(home, parent);
        Optional<Step> step = await(granted, patience, number);
        yield step.isEmpty()
            ? new StepAnswer.Waits(why.why(), why.instead())
            : granted(step.get(), home, wish);
      }
    };
  }

  /**
   * Who says that it is in a job must be so: by its mark, which it cannot choose. Who comes from
   * outside must at least be one of its owner's.
   */
  private StepBook.Home home(JobId number, Step.Parent parent, Owner caller, boolean joined)
      throws Refusal {
    record Found(StepBook.Home home, Owner owner) {}
    var found =
        context
            .loop()
            .look(
                core ->
                    core.home(number)
                        .map(
                            home ->
                                new Found(
                                    home,
                                    core.ledger().owner(number).orElseThrow().spec().owner())))
            .orElseThrow(() -> completing(number));
    boolean known =
        joined ? local.isOf(caller.uid(), parent) : local.isIn(found.home().id(), parent);
    if (found.owner().uid() != caller.uid() || !known) {
      throw new Refusal("process " + parent.pid() + " is not one of job " + number);
    }
    return found.home();
  }

  private static Refusal completing(JobId number) {
    return new Refusal(
        "Unable to create step for job " + number + ": Job/step already completing or completed");
  }

  /** One that dies in the queue leaves it. */
  private void watch(StepBook.Home home, Step.Parent parent) {
    if (watched.add(parent)) {
      local.whenGone(
          parent,
          () -> {
            watched.remove(parent);
            context
                .loop()
                .send(new LoopWork.StepNews((core, now) -> core.steps().leave(home.id(), parent)));
          });
    }
  }

  private static Optional<Step> await(
      CompletableFuture<Step> granted, Duration patience, JobId number) throws Refusal {
    try {
      return Optional.of(granted.get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw completing(number);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GoingDown();
    }
  }

  /** Before its parent may run anything, it is watched, and has the CPUs of its part. */
  private StepAnswer granted(Step step, StepBook.Home home, StepBook.Wish wish) {
    local.adopt(step);
    boolean exact = wish.request().exact() && !step.overlap();
    boolean bound = home.request().bound() && local.bind(step, exact);
    LocalSteps.Tools tools = local.tools(step.id());
    Allocation allocation = home.attempt().allocation();
    GpuNaming naming = local.naming(home.id(), home.fenced(), allocation);
    List<GpuGrant> gpus = step.share().gpus();
    List<Integer> ids = gpus.stream().map(GpuGrant::index).toList();
    return new StepAnswer.Granted(
        step.id().attempt().task().number().value(),
        step.id().number(),
        step.share().cpus(),
        bound ? step.share().cpuIds().stream().boxed().toList() : List.of(),
        ids,
        gpus.stream().map(grant -> grant.gpu().uuid()).toList(),
        naming == GpuNaming.MACHINE ? ids : SeenGpus.of(ids, allocation.gpuIndices()),
        naming == GpuNaming.UUID,
        host,
        tools.script(),
        tools.record(),
        tools.mark(),
        tools.env());
  }

  // ---- how it is ended ----

  List<Done> end(StepRef ref, OptionalInt signal, Owner caller) throws Refusal {
    JobId job = context.finder().find(ref.job(), caller).first().number();
    Done done = context.loop().askApart((core, now) -> end(core, job, ref, signal, now));
    return List.of(done);
  }

  private static Done end(Core core, JobId job, StepRef ref, OptionalInt signal, Instant now)
      throws Refusal {
    Optional<Step> running = core.steps().running(job, ref.number());
    if (running.isEmpty()) {
      throw new Refusal("step " + ref + " does not run; gqueue --steps shows those that do");
    }
    if (signal.isPresent()) {
      core.steps().signal(running.get(), signal.getAsInt());
      return new Done(ref.toString(), true, "signalled");
    }
    boolean changed = core.steps().cancel(running.get(), now);
    return new Done(ref.toString(), changed, changed ? "cancelled" : "is ending already");
  }

  // ---- what can be seen ----

  List<StepView> steps(TaskId task) throws Refusal {
    return Refusal.stored(() -> context.store().history().steps(task)).stream()
        .map(this::view)
        .toList();
  }

  /** Of all jobs, those that run. */
  List<StepView> running() throws Refusal {
    List<Step> steps = context.loop().look(core -> core.steps().running());
    return steps.stream().map(step -> view(new PastStep(step, Optional.empty()))).toList();
  }

  private StepView view(PastStep past) {
    Step step = past.step();
    Instant end = past.end().map(Step.End::at).orElseGet(context::now);
    Exit exit = past.end().map(Step.End::exit).orElse(Exit.OK);
    Usage usage = past.end().map(Step.End::usage).orElse(Usage.UNKNOWN);
    return new StepView(
        step.id().toString(),
        step.id().attempt().number(),
        step.name(),
        past.end().map(step::state).orElse(JobState.RUNNING).name(),
        past.end().isEmpty() ? null : exit.code(),
        exit.signal() > 0 ? exit.signal() : null,
        step.tasks(),
        step.share().cpus(),
        step.share().cpuIds().stream().boxed().toList(),
        step.share().gpus().stream().map(GpuGrant::index).toList(),
        step.share().memory() > 0 ? step.share().memory() : null,
        context.views().time(step.startedAt()),
        past.end().map(e -> context.views().time(e.at())).orElse(null),
        Duration.between(step.startedAt(), end).toMillis() / 1000.0,
        usage.cpuTime().map(time -> time.toMillis() / 1000.0).orElse(null),
        Views.boxed(usage.peakMemory()));
  }
}
