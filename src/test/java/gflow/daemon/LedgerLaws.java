package gflow.daemon;

import gflow.daemon.core.Core;
import gflow.daemon.core.OperatorControls;
import gflow.daemon.service.QueueListing;
import gflow.daemon.service.Views;
import gflow.job.Attempt;
import gflow.job.Job;
import gflow.job.TaskState;
import gflow.json.RecordJson;
import gflow.plan.Reason;
import gflow.plan.UsageLimits;
import gflow.sim.Violation;
import gflow.store.MemoryStore;
import gflow.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** After each turn: the ledger is what is on disk, and whoever waits has a reason. */
record LedgerLaws(Core core, MemoryStore store, Views views, Instant now) {
  private static final String NO_CONTROLS =
      RecordJson.write(OperatorControls.none(UsageLimits.NONE));

  void check(boolean aboutToLook) {
    List<Job> known = new ArrayList<>(core.ledger().jobs());
    Store.Loaded loaded = store.load();
    List<Job> durable = loaded.jobs();
    Violation.unless(
        known.stream()
            .map(LedgerLaws::facts)
            .toList()
            .equals(durable.stream().map(LedgerLaws::facts).toList()),
        () -> "the ledger is not what was committed:\n" + known + "\n" + durable);
    Violation.unless(
        core.loans().effects().size()
            == loaded.loans().stream().mapToInt(l -> l.loans().size()).sum(),
        () -> "the loans are not what was committed: " + core.loans().effects());
    Violation.unless(
        core.steps()
            .running()
            .equals(loaded.steps().stream().flatMap(s -> s.running().stream()).toList()),
        () -> "the steps are not what was committed: " + core.steps().running());
    String controls = RecordJson.write(core.inventory().controls());
    String kept = loaded.settings().getOrDefault(OperatorControls.KEY, NO_CONTROLS);
    Violation.unless(
        kept.equals(controls), () -> "the controls are not what was committed: " + controls);
    var listing = new QueueListing(core, views, now);
    for (Job job : known) {
      if (!job.waiting().isEmpty()) {
        Reason reason = listing.reason(job);
        boolean said =
            !reason.text().isEmpty() && (aboutToLook || !(reason instanceof Reason.None));
        Violation.unless(said, () -> "job " + job.id() + " waits without a reason: " + reason);
      }
    }
  }

  /** All of a job that must outlast the daemon. */
  private record Facts(Job job, List<Object> live) {}

  private static Facts facts(Job job) {
    var live = new ArrayList<Object>();
    job.live().forEach((offset, state) -> live.add(live(offset, state)));
    return new Facts(withoutLive(job), live);
  }

  private static Object live(int offset, TaskState state) {
    boolean ordered =
        state instanceof TaskState.Completing c
            && !(c.cause() instanceof TaskState.Cause.ProgramEnded);
    return ordered
        ? List.of(offset, ((TaskState.Completing) state).cause(), Attempt.of(state))
        : List.of(offset, Attempt.of(state));
  }

  private static Job withoutLive(Job job) {
    return new Job(
        job.id(),
        job.spec(),
        job.submittedAt(),
        job.waiting(),
        job.held(),
        job.tries(),
        new java.util.TreeMap<>(),
        job.dropped(),
        job.tally());
  }
}
