package gflow.daemon;

import gflow.daemon.SimDaemon.World;
import gflow.daemon.core.LoopWork;
import gflow.daemon.core.OperatorControls;
import gflow.daemon.core.Refusal;
import gflow.daemon.service.SpecEdits;
import gflow.daemon.service.Submitting;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.job.Recipients;
import gflow.job.SampleSpec;
import gflow.job.TaskEvent;
import gflow.job.TaskState;
import gflow.json.RecordJson;
import gflow.plan.Caps;
import gflow.plan.UsageLimits;
import gflow.script.value.BadInput;
import gflow.sim.RandomJobs;
import gflow.sim.Told;
import gflow.sim.Violation;
import gflow.store.Change;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** What people ask of the daemon, at random. */
final class Users {
  private final World world;
  private final Random random;
  private final Told told;
  private int signals;

  Users(World world, Told told) {
    this.world = world;
    this.random = world.random();
    this.told = told;
  }

  void act(SimDaemon daemon) {
    Optional<JobId> some = someJob();
    int choice = random.nextInt(some.isPresent() ? 18 : 8);
    switch (choice) {
      case 8, 9 -> cancel(daemon, some.orElseThrow(), some(some.orElseThrow()));
      case 10, 11 -> hold(daemon, some.orElseThrow());
      case 12 -> release(daemon, some.orElseThrow(), all(some.orElseThrow()));
      case 13, 14 -> update(daemon, some.orElseThrow());
      case 15 -> control(daemon, anyControls(daemon));
      case 16 -> requeue(daemon, some.orElseThrow());
      case 17 -> signal(daemon, some.orElseThrow());
      default -> submit(daemon);
    }
  }

  private Optional<JobId> someJob() {
    List<JobId> jobs = told.jobs();
    return jobs.isEmpty()
        ? Optional.empty()
        : Optional.of(jobs.get(random.nextInt(Math.min(12, jobs.size()))));
  }

  private Ranges some(JobId id) {
    return random.nextInt(3) == 0 ? Ranges.of(0, random.nextInt(told.tasks(id))) : all(id);
  }

  private Ranges all(JobId id) {
    return Ranges.firstN(told.tasks(id));
  }

  private void submit(SimDaemon daemon) {
    JobSpec spec = world.stock().spec(told.jobs(), world.agenda().instant());
    Submitting.Asking asking = asking(daemon, spec);
    daemon.ask(
        (core, now) -> {
          core.note(new Change.PutBlob(SampleSpec.ENVIRONMENT, new byte[] {1}));
          Job job = daemon.submitting().submit(core, spec, asking, "", now);
          told.timeLimit(job.id(), spec, world.agenda().steady());
          return job;
        },
        LoopWork.Starts.SOON,
        job -> {
          told.submitted(job);
          world.agenda().note("submitted " + job.id() + " of " + told.tasks(job.id()));
        });
  }

  private static Submitting.Asking asking(SimDaemon daemon, JobSpec spec) {
    try {
      var wanted = List.of(spec.terms().dependencies());
      return new Submitting.Asking(spec.owner(), daemon.submitting().parents(wanted, spec.owner()));
    } catch (Refusal e) {
      throw new IllegalStateException(e);
    }
  }

  void cancel(SimDaemon daemon, JobId id, Ranges offsets) {
    told.cancelAsked(id, offsets);
    daemon.ask(
        (core, now) -> {
          Optional<Job> job = core.ledger().job(id);
          Ranges well = job.map(Users::endedWell).orElse(Ranges.EMPTY);
          job.ifPresent(j -> core.cancel(j, offsets, "root", now));
          return offsets.minus(well);
        },
        cancelled -> {
          told.cancelled(id, cancelled);
          world.agenda().note("cancelled " + id + " " + cancelled);
        });
  }

  /** There is nothing left of these to cancel but what they left behind. */
  private static Ranges endedWell(Job job) {
    return Ranges.ofAll(
        job.live().entrySet().stream()
            .filter(
                live ->
                    live.getValue() instanceof TaskState.Completing c
                        && c.exit().map(e -> e.exit().ok()).orElse(false))
            .map(java.util.Map.Entry::getKey)
            .toList());
  }

  private void requeue(SimDaemon daemon, JobId id) {
    Ranges offsets = some(id);
    told.requeueAsked(id, offsets);
    daemon.ask(
        (core, now) -> {
          var event = new TaskEvent.Requeue("root", false, now);
          return core.ledger().job(id).map(job -> core.requeue(job, offsets, event)).orElse(0);
        },
        count -> world.agenda().note("requeued " + id + " " + offsets + ": " + count));
  }

  /** Who is told that so many were signalled can rely on it, unless the daemon dies. */
  private void signal(SimDaemon daemon, JobId id) {
    int signal = 20 + signals++;
    daemon.ask(
        (core, now) -> {
          Optional<Job> job = core.ledger().job(id);
          job.ifPresent(j -> core.signal(j, all(id), signal, Recipients.ALL));
          return job.map(Users::running).orElse(List.of());
        },
        running -> {
          List<AttemptId> now = running.stream().filter(world.machine()::runs).toList();
          world.agenda().in(Duration.ofSeconds(2), () -> wereSignalled(daemon, now, signal));
        });
  }

  private void wereSignalled(SimDaemon daemon, List<AttemptId> running, int signal) {
    if (daemon.isAlive()) {
      running.forEach(
          id ->
              Violation.unless(
                  world.machine().wasSignalled(id, signal), id + " was not signalled"));
    }
  }

  private static List<AttemptId> running(Job job) {
    var all = new ArrayList<AttemptId>();
    job.live()
        .forEach(
            (offset, state) -> {
              if (state instanceof TaskState.Running(Attempt attempt)) {
                all.add(new AttemptId(job.task(offset), attempt.number()));
              }
            });
    return all;
  }

  private void hold(SimDaemon daemon, JobId id) {
    Ranges offsets = some(id);
    int releases = told.releases(id);
    daemon.ask(
        (core, now) -> {
          Optional<Job> job = core.ledger().job(id);
          job.ifPresent(j -> core.hold(j, offsets, now));
          return job.map(j -> j.waiting().intersect(offsets)).orElse(Ranges.EMPTY);
        },
        held -> {
          if (told.releases(id) == releases) {
            told.held(id, held);
          }
          world.agenda().note("held " + id + " " + held);
        });
  }

  void release(SimDaemon daemon, JobId id, Ranges offsets) {
    told.releaseAsked(id, offsets);
    daemon.ask(
        (core, now) -> {
          core.ledger().job(id).ifPresent(j -> core.release(j, offsets, now));
          return id;
        },
        released -> {});
  }

  private void update(SimDaemon daemon, JobId id) {
    var options = new TreeMap<String, String>();
    switch (random.nextInt(5)) {
      case 0 -> options.put("time", "0:" + (1 + random.nextInt(50)));
      case 1 -> options.put("time", "+0:30");
      case 2 -> options.put("priority", Integer.toString(random.nextInt(256)));
      case 3 -> options.put("retries", Integer.toString(random.nextInt(3)));
      default -> options.put("max-concurrent", Integer.toString(random.nextInt(4)));
    }
    daemon.ask(
        (core, now) -> {
          Optional<Job> job = core.ledger().job(id);
          if (job.isPresent()) {
            JobSpec spec = edited(job.get().spec(), options);
            told.timeLimit(id, spec, world.agenda().steady());
            core.respec(job.get(), spec, now);
          }
          return id;
        },
        done -> world.agenda().note("updated " + id + " " + options));
  }

  private JobSpec edited(JobSpec spec, TreeMap<String, String> options) throws Refusal {
    try {
      return SpecEdits.apply(spec, options, world.agenda().instant(), ZoneOffset.UTC);
    } catch (BadInput e) {
      throw new Refusal(e.line());
    }
  }

  void control(SimDaemon daemon, OperatorControls controls) {
    daemon.ask(
        (core, now) -> {
          core.control(
              controls, new Change.Setting(OperatorControls.KEY, RecordJson.write(controls)));
          return controls;
        },
        done -> world.agenda().note("controls " + done));
  }

  private OperatorControls anyControls(SimDaemon daemon) {
    OperatorControls old = daemon.core().inventory().controls();
    var drained = new TreeMap<String, String>();
    world.stock().devices().stream()
        .filter(d -> random.nextInt(4) == 0)
        .forEach(d -> drained.put(d.id().uuid(), "broken fan"));
    var users = new TreeMap<String, UsageLimits.Cap>();
    RandomJobs.owners().stream()
        .filter(o -> random.nextInt(3) == 0)
        .forEach(o -> users.put(o.name(), Caps.ofTasks(1 + random.nextInt(4))));
    var projects = new TreeMap<String, UsageLimits.Cap>();
    if (random.nextBoolean()) {
      projects.put("alpha", Caps.ofTasks(1 + random.nextInt(3)));
    }
    return switch (random.nextInt(5)) {
      case 0, 1 -> old.withDrained(drained);
      case 2, 3 -> old.withLimits(new UsageLimits(UsageLimits.Cap.NONE, users, projects));
      default -> old.withPause(Optional.of("reboot").filter(_ -> old.paused().isEmpty()));
    };
  }
}
