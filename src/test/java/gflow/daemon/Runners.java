package gflow.daemon;

import gflow.daemon.SimDaemon.World;
import gflow.daemon.core.LoanBook.JobGpus;
import gflow.daemon.core.LoanBook.Known;
import gflow.daemon.core.Refusal;
import gflow.daemon.core.StepBook;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.Job;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The programs inside elastic jobs: they ask for GPUs, use what they are told that they have, and
 * give some back a while after they were called. They outlive the daemons.
 */
final class Runners {
  private final World world;
  private final Map<AttemptId, Runner> runners =
      new TreeMap<>(Comparator.comparing(AttemptId::task).thenComparingInt(AttemptId::number));
  private int lent;

  private static final class Runner {
    @Nullable SimDaemon daemon;
    @Nullable CompletableFuture<JobGpus> told;
    JobGpus gpus = new JobGpus(List.of(), List.of(), gflow.plan.LoanPlanner.CallBack.NONE);
  }

  Runners(World world) {
    this.world = world;
  }

  /** How often a GPU was got: a simulation in which nothing is lent tests nothing. */
  int lent() {
    return lent;
  }

  void act(SimDaemon daemon) {
    for (Job job : List.copyOf(daemon.core().ledger().jobs())) {
      for (int offset : List.copyOf(job.live().keySet())) {
        daemon
            .core()
            .home(job.task(offset).number())
            .filter(home -> home.request().elastic() && world.machine().runs(home.id()))
            .ifPresent(home -> act(daemon, home));
      }
    }
  }

  private void act(SimDaemon daemon, StepBook.Home home) {
    Runner runner = runners.computeIfAbsent(home.id(), _ -> new Runner());
    if (runner.daemon != daemon) {
      // The connection broke with the daemon.
      runner.daemon = daemon;
      runner.told = null;
    }
    if (runner.told != null && runner.told.isDone()) {
      hear(home.id(), runner);
    }
    if (runner.gpus.callBack().count() > 0 && world.random().nextBoolean()) {
      giveBack(daemon, home, runner);
    } else if (runner.told == null) {
      ask(daemon, home, runner, List.of());
    }
  }

  private void hear(AttemptId id, Runner runner) {
    CompletableFuture<JobGpus> told = runner.told;
    runner.told = null;
    if (told != null && !told.isCompletedExceptionally()) {
      runner.gpus = told.join();
      lent += world.machine().uses(id, runner.gpus.lent());
    }
  }

  /** First it ends what it has there, and then it says so. */
  private void giveBack(SimDaemon daemon, StepBook.Home home, Runner runner) {
    List<GpuId> back =
        runner.gpus.callBack().from().stream().limit(runner.gpus.callBack().count()).toList();
    back.forEach(gpu -> world.machine().leaves(home.id(), gpu));
    world.agenda().note(home.id() + " gives back " + back);
    ask(daemon, home, runner, back);
  }

  private void ask(SimDaemon daemon, StepBook.Home home, Runner runner, List<GpuId> back) {
    var have = new ArrayList<Integer>();
    runner.gpus.own().forEach(gpu -> have.add(gpu.index()));
    runner.gpus.lent().stream()
        .filter(gpu -> !back.contains(gpu.gpu()))
        .forEach(gpu -> have.add(gpu.index()));
    var known = new Known(have, runner.gpus.callBack().count() - back.size());
    daemon.ask(
        (core, now) -> {
          Optional<StepBook.Home> current =
              core.home(home.id().task().number()).filter(h -> h.id().equals(home.id()));
          if (current.isEmpty()) {
            throw new Refusal(home.id() + " does not run any more");
          }
          if (!back.isEmpty()) {
            core.loans().back(home.id(), back, now);
            core.inventory().lookAgain();
          }
          return core.loans().ask(current.get(), known);
        },
        told -> runner.told = told);
  }
}
