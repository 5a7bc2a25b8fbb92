package gflow.daemon.core;

import gflow.api.GoingDown;
import gflow.daemon.core.Requests.Request;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Engine;
import gflow.job.GpuId;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The one writer. It takes what has arrived as one group, turns the scheduler, answers, and acts.
 * If a turn itself is broken, the daemon ends: the store is the truth and a restart recovers.
 */
public final class Loop implements Engine.Listener, AutoCloseable {
  private static final Logger LOG = System.getLogger("gflow.loop");
  private static final int GROUP = 2000;
  private static final int INBOX = 200_000;
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  /** Nobody tells that the clock was set, nor that the machine has slept. */
  private static final Duration LOOK_AT_CLOCK = Duration.ofSeconds(2);

  private final TurnRunner scheduler;
  private final Clocks clocks;
  private final BlockingQueue<LoopWork> inbox = new LinkedBlockingQueue<>(INBOX);
  private final Hooks hooks;
  private final Thread thread;
  private volatile boolean stopped;
  private List<LoopWork> again = List.of();
  private List<LoopWork> inHand = List.of();
  private @Nullable Instant retryAt;

  /**
   * Where the loop's decisions go: to the engine, to those who watch, to the GPU sampler; and who
   * hears that it is broken, by one of these requests perhaps.
   */
  public record Hooks(
      Consumer<Effect> act,
      BiConsumer<Core, TurnRunner.Turn> tell,
      Consumer<GpuLook> look,
      Consumer<Set<Request>> broken) {}

  /**
   * When the GPUs must be looked at: before a start, or because somebody waits for what nobody
   * would tell us of.
   */
  public enum GpuLook {
    SOON,
    LATER
  }

  public Loop(TurnRunner scheduler, Clocks clocks, Hooks hooks) {
    this.scheduler = scheduler;
    this.clocks = clocks;
    this.hooks = hooks;
    thread = Thread.ofPlatform().name("gflow-loop").unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  @Override
  public void happened(AttemptId attempt, TaskEvent event) {
    send(new LoopWork.Happened(attempt, event));
  }

  @Override
  public void stepEnded(StepId step, Step.End end) {
    send(new LoopWork.StepNews((core, now) -> core.stepEnded(step, end, now)));
  }

  @Override
  public void taken(GpuId gpu) {
    send(new LoopWork.Ask<>((core, now) -> core.inventory().taken(gpu, now)));
  }

  @Override
  public void locked(AttemptId attempt, GpuId gpu, boolean ours) {
    send(new LoopWork.LoanNews(attempt, gpu, ours));
  }

  /** Has the change made and committed; returns what it gave. */
  public <T> T ask(LoopWork.Ask.Change<T> change) throws Refusal {
    return ask(change, LoopWork.Starts.NOW);
  }

  /** The same for a change after which no job can start that could not start before. */
  public <T> T askApart(LoopWork.Ask.Change<T> change) throws Refusal {
    return ask(change, LoopWork.Starts.NOTHING);
  }

  public <T> T ask(LoopWork.Ask.Change<T> change, LoopWork.Starts starts) throws Refusal {
    var ask = new LoopWork.Ask<T>(change, starts);
    send(ask);
    return await(ask.answer());
  }

  /** Looks at what is committed. */
  public <T> T look(Function<Core, T> question) throws Refusal {
    var look = new LoopWork.Look<T>(question);
    send(look);
    return await(look.answer());
  }

  public void send(LoopWork work) {
    try {
      inbox.put(work);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private <T> T await(java.util.concurrent.CompletableFuture<T> answer) throws Refusal {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Refusal refusal) {
        throw refusal;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GoingDown();
    }
  }

  private void run() {
    try {
      while (!stopped) {
        turn(await());
      }
    } catch (Throwable e) {
      LOG.log(Level.ERROR, "the loop is broken; the daemon ends and recovers at its next start", e);
      hooks.broken().accept(requests());
    }
  }

  private Set<Request> requests() {
    return inHand.stream().flatMap(work -> work.request().stream()).collect(Collectors.toSet());
  }

  private Optional<LoopWork> await() throws InterruptedException {
    while (true) {
      Duration wait = Duration.between(now(), due());
      Duration bounded = wait.compareTo(LOOK_AT_CLOCK) < 0 ? wait : LOOK_AT_CLOCK;
      LoopWork first = inbox.poll(bounded.toNanos(), TimeUnit.NANOSECONDS);
      if (first != null || !due().isAfter(now()) || isClockSet()) {
        return Optional.ofNullable(first);
      }
    }
  }

  private Instant now() {
    return clocks.wall().instant();
  }

  public boolean isClockSet() {
    return scheduler.core().isClockSet(clocks.read());
  }

  /**
   * When to turn even if nothing arrives: at once if a plan is due, as after the start, because the
   * machine may not be what it was; at the next timer; but after a failed commit not before another
   * try makes sense.
   */
  public Instant due() {
    if (retryAt != null) {
      return retryAt;
    }
    Instant now = now();
    return scheduler.isPlanDue()
        ? now
        : scheduler.core().ledger().timers().next().orElse(now.plus(LONGEST_WAIT));
  }

  /** Work that has arrived, without waiting for it. */
  public Optional<LoopWork> arrived() {
    return Optional.ofNullable(inbox.poll());
  }

  public boolean idle() {
    return inbox.isEmpty();
  }

  /** One turn, with the first that arrived and all that is there behind it. */
  public void turn(Optional<LoopWork> first) {
    var works = new ArrayList<LoopWork>();
    Clocks.Reading clock = clocks.read();
    if (scheduler.core().isClockSet(clock)) {
      works.add(new LoopWork.Ask<>((core, now) -> core.clock(clock)));
    }
    // What could not be committed goes first: the events of an attempt must stay in their order.
    works.addAll(again);
    first.ifPresent(works::add);
    inbox.drainTo(works, GROUP);
    inHand = works;
    TurnRunner.Turn turn = scheduler.turn(works, clock.now());
    again = turn.again();
    retryAt = turn.trouble().map(this::retryLater).orElse(null);
    turn.answers().forEach(Runnable::run);
    turn.effects().forEach(hooks.act());
    hooks.tell().accept(scheduler.core(), turn);
    if (turn.lookFirst()) {
      hooks.look().accept(GpuLook.SOON);
    } else if (scheduler.core().waitsForOutsiders()) {
      hooks.look().accept(GpuLook.LATER);
    }
  }

  private Instant retryLater(String why) {
    LOG.log(Level.WARNING, "could not be done, will try again: " + why);
    return now().plus(RETRY);
  }

  /** Ends after the turn that is being made; what is in the inbox is left to the next start. */
  @Override
  public void close() {
    stopped = true;
    send(new LoopWork.Look<>(core -> true));
    try {
      if (Thread.currentThread() != thread) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
