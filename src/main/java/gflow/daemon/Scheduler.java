package gflow.daemon;

import gflow.job.Effect;
import gflow.job.Job;
import gflow.store.Change;
import gflow.store.Store;
import gflow.store.Store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One turn: run the work, fire timers, plan, commit. It has no thread and no clock of its own, so
 * the loop and the simulation turn the same wheel.
 */
final class Scheduler {
  private final Core core;
  private final Store store;
  private final Faults faults;

  /** Something has happened after which more may start. */
  private boolean planDue = true;

  /**
   * What came of a turn. Answers are given first, then effects run. {@code again} is work to be
   * repeated because of {@code trouble}; {@code lookFirst}: real GPUs must be sampled before a
   * start.
   */
  record Turn(
      List<Runnable> answers,
      List<Effect> effects,
      List<Notes.News> news,
      List<Job> over,
      List<Work> again,
      Optional<String> trouble,
      boolean lookFirst) {}

  Scheduler(Core core, Store store, Faults faults) {
    this.core = core;
    this.store = store;
    this.faults = faults;
  }

  Core core() {
    return core;
  }

  Turn turn(List<Work> works, Instant now) {
    Core.Mark start = core.mark();
    var answers = new ArrayList<Runnable>();
    var done = new ArrayList<Work>();
    for (Work work : works) {
      run(work, now, done, answers);
    }
    planDue |= works.isEmpty() || !works.stream().allMatch(Work::freesNothing);
    planDue |= core.timers(now);
    planDue |= core.dependencies(now);
    boolean planned = !planDue || core.plan(now);
    planDue = core.dependencies(now);
    try {
      commit(core.changes());
    } catch (StoreException e) {
      String why = String.valueOf(e.getMessage());
      core.failed(start, why, now);
      planDue = true;
      return failed(done, answers, why);
    }
    Notes.Settled settled = core.settle();
    answers.addAll(settled.told());
    done.forEach(work -> answers.add(() -> work.committed(core)));
    return new Turn(
        answers,
        settled.effects(),
        settled.news(),
        settled.over(),
        List.of(),
        Optional.empty(),
        !planned);
  }

  private void run(Work work, Instant now, List<Work> done, List<Runnable> answers) {
    Core.Mark mark = core.mark();
    try {
      work.run(core, now);
      done.add(work);
    } catch (Refusal refusal) {
      core.undoTo(mark, now);
      answers.add(() -> work.refused(refusal));
    }
  }

  private void commit(List<Change> changes) throws StoreException {
    if (changes.isEmpty()) {
      return;
    }
    faults.before("commit", changes);
    store.commit(changes);
    faults.after("commit", changes);
  }

  private Turn failed(List<Work> done, List<Runnable> answers, String why) {
    var again = new ArrayList<Work>();
    for (Work work : done) {
      if (work.notCommitted(core, why)) {
        again.add(work);
      }
    }
    return new Turn(answers, List.of(), List.of(), List.of(), again, Optional.of(why), false);
  }
}
