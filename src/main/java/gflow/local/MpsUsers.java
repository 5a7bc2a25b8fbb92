package gflow.local;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Failure;
import gflow.job.JobSpec;
import gflow.job.MpsReason;
import gflow.job.TaskState.Exited;
import gflow.local.mps.MpsKey;
import gflow.local.mps.MpsServers;
import gflow.process.Proc;
import gflow.process.ProcessWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;

/** Which attempts have an MPS server: from before their launch until nothing of them is left. */
final class MpsUsers implements AutoCloseable {
  private final RetriedWork again;
  private final MpsServers servers;
  private final Map<AttemptId, Use> uses = new ConcurrentHashMap<>();
  private final Map<AttemptId, Refusal> refusals = new ConcurrentHashMap<>();
  private final CountDownLatch settled = new CountDownLatch(1);
  private volatile BiConsumer<String, Optional<String>> problems = (_, _) -> {};

  /** Why it has none; {@code waits}: it does not run before it has. */
  record Refusal(String why, boolean waits) {
    /** In its own log, where who wonders looks. */
    void tell(Optional<Path> log) {
      log.ifPresent(file -> LastWords.write(file, "gflow: " + why + ": it runs without MPS"));
    }
  }

  private record Use(MpsKey key, Optional<Path> folder) {}

  MpsUsers(LocalEngine.Setup setup, ProcessWatch watch, RetriedWork again) {
    this.again = again;
    int uid = Proc.status(Proc.self()).orElseThrow().uid();
    servers =
        new MpsServers(
            setup.gpus().mps(),
            new MpsServers.Means(setup.launcher(), setup.cgroups(), watch, uid),
            setup.marks()::ofMps,
            (about, words) -> problems.accept(about, words));
  }

  void tell(BiConsumer<String, Optional<String>> told) {
    problems = told;
  }

  /** What is to be done before such a launch: to have a server takes a while. */
  Optional<Runnable> before(Effect.Launch launch) {
    AttemptId id = launch.attempt();
    return MpsKey.of(launch.spec(), id, launch.allocation())
        .map(key -> () -> join(key, id, isAskedFor(launch)));
  }

  private void join(MpsKey key, AttemptId id, boolean asked) {
    try {
      uses.put(id, new Use(key, Optional.of(servers.join(key, id))));
    } catch (IOException e) {
      boolean waits = asked && !(e instanceof MpsServers.Full);
      refusals.put(id, new Refusal(String.valueOf(e.getMessage()), waits));
    }
  }

  /** Why it has none, where it should have one; asked once. */
  Optional<Refusal> without(AttemptId id) {
    return Optional.ofNullable(refusals.remove(id));
  }

  /** Nobody shall wait for what nobody asked for. */
  private static boolean isAskedFor(Effect.Launch launch) {
    return launch.spec().mps().equals(Optional.of(MpsReason.ASKED));
  }

  boolean has(AttemptId id) {
    return uses.containsKey(id);
  }

  Optional<Path> folder(AttemptId id) {
    return Optional.ofNullable(uses.get(id)).flatMap(Use::folder);
  }

  /** The end of a program with a cause, where its own log has none and its server had one. */
  Exited explained(AttemptId id, Exited exit) {
    Use use = uses.get(id);
    boolean failed = use != null && exit.told().isEmpty() && servers.failed(use.key(), id);
    return failed ? exit.told(Optional.of(Failure.MPS)) : exit;
  }

  /**
   * Nothing of it is left. Returns when a server that nobody else used is gone. Before all users
   * are known nobody leaves, or he would be taken for the last.
   */
  void leave(AttemptId id) {
    Use use = uses.get(id);
    if (use != null) {
      awaitSettled();
      servers.leave(use.key(), id);
      uses.remove(id);
    }
  }

  private void awaitSettled() {
    try {
      settled.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The same for one that never ran: then that is told, at once if it had none. */
  void leave(AttemptId id, Runnable tell) {
    Use use = uses.get(id);
    if (use == null) {
      tell.run();
    } else if (settled.getCount() > 0) {
      uses.remove(id);
      servers.forget(use.key(), id);
      tell.run();
    } else {
      again.apart(
          "to leave the MPS server of " + id,
          _ -> {
            leave(id);
            tell.run();
          });
    }
  }

  // ---- a daemon that comes later ----

  void adopt(AttemptId id, JobSpec spec, Attempt attempt) {
    MpsKey.of(spec, id, attempt.allocation())
        .filter(key -> servers.adopt(key, id))
        .ifPresent(key -> uses.put(id, new Use(key, Optional.empty())));
  }

  /** All that an earlier daemon has started is known. */
  void settle() {
    servers.settle();
    settled.countDown();
  }

  @Override
  public void close() {
    servers.close();
    settled.countDown();
  }
}
