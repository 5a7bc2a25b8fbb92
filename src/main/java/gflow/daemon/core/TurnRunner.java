package gflow.daemon.core;

import gflow.api.Answer;
import gflow.api.ContainedBugs;
import gflow.job.Effect;
import gflow.store.Change;
import gflow.store.Store;
import gflow.store.Store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One turn: run the work, fire timers, plan, commit. It has no thread and no clock of its own, so
 * the loop and the simulation turn the same wheel. A bug that one piece of work meets, or brings
 * about in the rest of the turn, is that one's end: it is taken back, and the turn made without it.
 */
public final class TurnRunner {
  /** News that meets a bug is tried so often: nobody would tell it again before the next start. */
  private static final int TRIES = 3;

  private final Core core;
  private final Store store;
  private final CommitHooks faults;
  private final ContainedBugs bugs;
  private final IdentityHashMap<LoopWork, Integer> tried = new IdentityHashMap<>();

  /** Something has happened after which more may start; after a turn: the next one plans. */
  private boolean planDue = true;

  /**
   * What came of a turn. Answers are given first, then effects run. {@code again} is work to be
   * repeated because of {@code trouble}; {@code lookFirst}: real GPUs must be sampled before a
   * start.
   */
  public record Turn(
      List<Runnable> answers,
      List<Effect> effects,
      List<UnitOfWork.News> news,
      List<LoopWork> again,
      Optional<String> trouble,
      boolean lookFirst) {
    /** The two of them as one, if they were made one after the other. */
    private Turn and(Turn next) {
      return new Turn(
          joined(answers, next.answers),
          joined(effects, next.effects),
          joined(news, next.news),
          joined(again, next.again),
          trouble.or(next::trouble),
          lookFirst || next.lookFirst);
    }

    private static <T> List<T> joined(List<T> one, List<T> other) {
      return Stream.concat(one.stream(), other.stream()).toList();
    }
  }

  /** What becomes of the work of a turn that is being made. */
  private record Group(
      Core.Mark start, List<LoopWork> done, List<Runnable> answers, List<LoopWork> again) {}

  public TurnRunner(Core core, Store store, CommitHooks faults, ContainedBugs bugs) {
    this.core = core;
    this.store = store;
    this.faults = faults;
    this.bugs = bugs;
  }

  Core core() {
    return core;
  }

  boolean isPlanDue() {
    return planDue;
  }

  Turn turn(List<LoopWork> works, Instant now) {
    var group = new Group(core.mark(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (LoopWork work : works) {
      run(work, now, group);
    }
    boolean soon = !planDue && onlySubmissions(works);
    planDue |= latest(works) != LoopWork.Starts.NOTHING;
    boolean planned;
    try {
      planned = follow(soon, now);
      commit(core.changes());
    } catch (StoreException e) {
      String why = String.valueOf(e.getMessage());
      takeBack(group, Optional.of(why), now);
      group.done().forEach(work -> notCommitted(work, why, group));
      return without(group, Optional.of(why));
    } catch (RuntimeException | StackOverflowError e) {
      takeBack(group, core.trouble(), now);
      return apart(group, e, now);
    }
    UnitOfWork.Settled settled = core.settle();
    settled.told().forEach(tell -> group.answers().add(() -> told(tell)));
    group.done().forEach(work -> group.answers().add(() -> committed(work)));
    group.done().forEach(tried::remove);
    return new Turn(
        group.answers(), settled.effects(), settled.news(), group.again(), bug(group), !planned);
  }

  private void run(LoopWork work, Instant now, Group group) {
    Core.Mark mark = core.mark();
    try {
      work.run(core, now);
      group.done().add(work);
    } catch (Refusal refusal) {
      core.undoTo(mark, now);
      group.answers().add(() -> work.refused(refusal));
    } catch (RuntimeException | StackOverflowError e) {
      core.undoTo(mark, now);
      contain(work, e, group);
    }
  }

  /** Who looks in the same turn must see the starts, or of each wait a reason. */
  private static boolean onlySubmissions(List<LoopWork> works) {
    return latest(works) == LoopWork.Starts.SOON
        && works.stream().noneMatch(LoopWork.Look.class::isInstance);
  }

  /** Of a turn without work something else has come: its time. */
  private static LoopWork.Starts latest(List<LoopWork> works) {
    return works.stream()
        .map(LoopWork::starts)
        .max(Comparator.naturalOrder())
        .orElse(LoopWork.Starts.NOW);
  }

  /**
   * What follows from what was done and from the time; false if GPUs must be looked at first.
   * Whoever submits waits for one commit, and not for the plan: that is made {@code soon}, in the
   * next turn.
   */
  private boolean follow(boolean soon, Instant now) {
    boolean more = core.timers(now);
    more |= core.dependencies(now);
    planDue |= more;
    if (soon && !more) {
      return true;
    }
    boolean planned = !planDue || core.plan(now);
    planDue = core.dependencies(now);
    return planned;
  }

  private void commit(List<Change> changes) throws StoreException {
    if (changes.isEmpty()) {
      return;
    }
    faults.before("commit", changes);
    store.commit(changes);
    faults.after("commit", changes);
  }

  // ---- what did not come through ----

  private void takeBack(Group group, Optional<String> trouble, Instant now) {
    core.failed(group.start(), trouble, now);
    planDue = true;
  }

  private void notCommitted(LoopWork work, String why, Group group) {
    try {
      if (work.notCommitted(core, why)) {
        group.again().add(work);
      }
    } catch (RuntimeException | StackOverflowError e) {
      contain(work, e, group);
    }
  }

  private static Turn without(Group group, Optional<String> trouble) {
    return new Turn(group.answers(), List.of(), List.of(), group.again(), trouble, false);
  }

  /**
   * The turn met a bug, and nothing of it was kept: the halves of its work are tried each on its
   * own, until the piece is found that causes it. If the turn fails without any work, the bug is in
   * the turn itself.
   */
  private Turn apart(Group group, Throwable bug, Instant now) {
    List<LoopWork> done = group.done();
    Turn before = without(group, bug(group));
    if (done.isEmpty()) {
      throw new IllegalStateException("a turn without work is broken", bug);
    }
    if (done.size() == 1) {
      Turn rest = before.and(turn(List.of(), now));
      var last = new Group(group.start(), List.of(), new ArrayList<>(), new ArrayList<>());
      contain(done.getFirst(), bug, last);
      return rest.and(without(last, bug(last)));
    }
    int half = done.size() / 2;
    Turn first = before.and(turn(done.subList(0, half), now));
    return first.and(turn(done.subList(half, done.size()), now));
  }

  /** A request is answered; news is tried again, and then left to the next start's look. */
  private void contain(LoopWork work, Throwable bug, Group group) {
    String what = work.request().map(Requests.Request::name).orElseGet(work::toString);
    if (work instanceof LoopWork.News && tried.merge(work, 1, Integer::sum) < TRIES) {
      bugs.contain(what + " (it is tried again)", bug);
      group.again().add(work);
    } else {
      tried.remove(work);
      String hint = work instanceof LoopWork.News ? " (gflowd restart looks again)" : "";
      var refusal = new Refusal(Answer.Kind.INTERNAL, bugs.contain(what + hint, bug));
      group.answers().add(() -> work.refused(refusal));
    }
  }

  private static Optional<String> bug(Group group) {
    return group.again().isEmpty() ? Optional.empty() : Optional.of("an internal error");
  }

  private void committed(LoopWork work) {
    try {
      work.committed(core);
    } catch (RuntimeException | StackOverflowError e) {
      String what = work.request().map(Requests.Request::name).orElse("a look");
      work.refused(new Refusal(Answer.Kind.INTERNAL, bugs.contain(what, e)));
    }
  }

  private void told(Runnable tell) {
    try {
      tell.run();
    } catch (RuntimeException | StackOverflowError e) {
      bugs.contain("what follows a commit", e);
    }
  }
}
