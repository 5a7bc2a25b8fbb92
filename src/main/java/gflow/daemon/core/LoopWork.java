package gflow.daemon.core;

import gflow.daemon.core.Requests.Request;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.TaskEvent;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** Something for the loop to do: it runs, and hears what became of it after the commit. */
public interface LoopWork {
  /** On a refusal everything that it has done is taken back. */
  void run(Core core, Instant now) throws Refusal;

  /** What it did is durable. */
  void committed(Core core);

  void refused(Refusal refusal);

  /** Nothing of the group could be committed; true to be run again later. */
  boolean notCommitted(Core core, String why);

  /** When it is to be planned what may start because of it. */
  default Starts starts() {
    return Starts.NOW;
  }

  /** Whose work it is, where somebody asked for it. */
  default Optional<Request> request() {
    return Optional.empty();
  }

  /**
   * Nothing can start that could not start before; it can, but in a turn right behind the commit
   * that somebody waits for; or it starts in the same commit.
   */
  enum Starts {
    NOTHING,
    SOON,
    NOW
  }

  /** What the engine says. It must not get lost, whatever the disk says, and nobody waits. */
  interface News extends LoopWork {
    @Override
    default void committed(Core core) {}

    @Override
    default void refused(Refusal refusal) {}

    @Override
    default boolean notCommitted(Core core, String why) {
      return true;
    }
  }

  /** Something that happened to an attempt. */
  record Happened(AttemptId attempt, TaskEvent event) implements News {
    @Override
    public void run(Core core, Instant now) {
      core.happened(attempt, event, now);
    }

    @Override
    public Starts starts() {
      return event instanceof TaskEvent.Spawned ? Starts.NOTHING : Starts.NOW;
    }
  }

  /** Something that happened to a step, which nothing outside its job can start by. */
  record StepNews(Fact fact) implements News {
    public interface Fact {
      void tell(Core core, Instant now);
    }

    @Override
    public void run(Core core, Instant now) {
      fact.tell(core, now);
    }

    @Override
    public Starts starts() {
      return Starts.NOTHING;
    }
  }

  /** Whether a GPU that was lent is locked: the job hears of it, or somebody else may have it. */
  record LoanNews(AttemptId attempt, GpuId gpu, boolean ours) implements News {
    @Override
    public void run(Core core, Instant now) {
      core.loans().locked(attempt, gpu, ours, now);
    }
  }

  /** A change that somebody waits for. */
  record Ask<T>(
      Change<T> change,
      CompletableFuture<T> answer,
      AtomicReference<T> draft,
      Starts starts,
      Optional<Request> request)
      implements LoopWork {
    public interface Change<T> {
      T make(Core core, Instant now) throws Refusal;
    }

    public Ask(Change<T> change) {
      this(change, Starts.NOW);
    }

    public Ask(Change<T> change, Starts starts) {
      this(change, new CompletableFuture<>(), new AtomicReference<>(), starts, Requests.current());
    }

    @Override
    public void run(Core core, Instant now) throws Refusal {
      draft.set(change.make(core, now));
    }

    @Override
    public void committed(Core core) {
      answer.complete(draft.get());
    }

    @Override
    public void refused(Refusal refusal) {
      answer.completeExceptionally(refusal);
    }

    @Override
    public boolean notCommitted(Core core, String why) {
      answer.completeExceptionally(new Refusal("not done: " + why));
      return false;
    }
  }

  /** A look at what is committed. */
  record Look<T>(Function<Core, T> question, CompletableFuture<T> answer) implements LoopWork {
    Look(Function<Core, T> question) {
      this(question, new CompletableFuture<>());
    }

    @Override
    public void run(Core core, Instant now) {}

    @Override
    public void committed(Core core) {
      answer.complete(question.apply(core));
    }

    @Override
    public void refused(Refusal refusal) {
      answer.completeExceptionally(refusal);
    }

    @Override
    public boolean notCommitted(Core core, String why) {
      committed(core);
      return false;
    }

    @Override
    public Starts starts() {
      return Starts.NOTHING;
    }
  }
}
