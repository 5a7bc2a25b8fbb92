package gflow.daemon;

import gflow.daemon.SimDaemon.World;
import gflow.daemon.core.Core;
import gflow.daemon.core.OperatorControls;
import gflow.job.Job;
import gflow.job.Ranges;
import gflow.job.SampleSpec;
import gflow.job.TaskEvent;
import gflow.sim.RandomJobs;
import gflow.store.Change;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Bugs of ours: requests and news that change much and then fail, and that contradict others. */
final class Mistakes {
  private final World world;
  private final Random random;
  private int clashes;

  Mistakes(World world) {
    this.world = world;
    this.random = world.random();
  }

  void happen(SimDaemon daemon) {
    switch (random.nextInt(3)) {
      case 0 -> brokenRequest(daemon);
      case 1 -> brokenNews(daemon);
      default -> clash(daemon);
    }
  }

  private void brokenRequest(SimDaemon daemon) {
    long seed = random.nextLong();
    daemon.ask(
        (core, now) -> {
          change(core, new Random(seed), now);
          throw new ArithmeticException("integer overflow");
        },
        answer -> {
          throw new IllegalStateException("a bug was answered with " + answer);
        });
  }

  /** Its first tries fail. */
  private void brokenNews(SimDaemon daemon) {
    long seed = random.nextLong();
    var left = new AtomicInteger(random.nextInt(4));
    daemon.tell(
        (core, now) -> {
          if (left.getAndDecrement() > 0) {
            change(core, new Random(seed), now);
            throw new IllegalStateException("not yet");
          }
        });
  }

  /** Each is fine alone, but not both in one commit, nor one after the other. */
  private void clash(SimDaemon daemon) {
    String key = "clash " + clashes++;
    for (int i = 0; i < 2; i++) {
      daemon.ask(
          (core, now) -> {
            core.note(new Change.Answered(key, "x", now));
            return key;
          },
          world.agenda()::note);
    }
  }

  private void change(Core core, Random seeded, Instant now) {
    core.note(new Change.PutBlob(SampleSpec.ENVIRONMENT, new byte[] {1}));
    core.submit(new RandomJobs(seeded).spec(new ArrayList<>(), now), now);
    for (Job job : new ArrayList<>(core.ledger().jobs())) {
      Ranges all = Ranges.firstN(job.spec().tasks().count());
      switch (seeded.nextInt(6)) {
        case 0 -> core.cancel(job, all, "nobody", now);
        case 1 -> core.requeue(job, all, new TaskEvent.Requeue("nobody", false, now));
        case 2 -> core.hold(job, all, now);
        case 3 -> core.release(job, all, now);
        case 4 -> core.dependencies(now);
        default -> core.plan(now);
      }
    }
    OperatorControls none =
        core.inventory().controls().withAllowed(Optional.of(java.util.List.of()));
    core.control(none, new Change.Setting(OperatorControls.KEY, "nonsense"));
  }
}
