package gflow.api;

import gflow.job.JobRef;
import gflow.job.Recipients;
import gflow.job.StepRef;
import gflow.json.RecordJson;
import gflow.script.order.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A service in memory: job 42 is there and nothing else; it remembers what it was asked. */
final class FakeGflow implements MethodGflow {
  static final JobView VIEW =
      new JobView(
          42,
          40L,
          2,
          null,
          "tränen \"x\"",
          "ann",
          "FAILED",
          null,
          3,
          null,
          2,
          4,
          0.25,
          8L << 30,
          List.of(0, 1),
          List.of(1),
          4,
          List.of(2, 3),
          "affinity only",
          null,
          1,
          10,
          3600L,
          "2026-11-15T01:02:03+01:00",
          null,
          null,
          null,
          1.5,
          2,
          3,
          "afterok:41",
          null,
          "a\ncomment",
          "python x.py",
          "/w",
          "/l/42.log",
          0.5,
          1L << 40,
          7.25,
          "12/20 done",
          true,
          true,
          new TreeMap<>(Map.of("mem-per-cpu", "512")),
          new TreeMap<>(Map.of("account", "physics")),
          new TreeMap<>(Map.of("lr", "0.1")),
          List.of(
              new AttemptView(
                  1, "FAILED", null, 3, null, "2026-11-15T01:02:03+01:00", null, List.of(0, 1))));
  static final Receipt RECEIPT = new Receipt(42, 5, "x", "/l/42.log");
  static final Preview PREVIEW =
      new Preview(7, "x", 1, 2, "python", "1 GPU", "(Resources)", List.of("python"));
  static final Done DONE = new Done("42", true, "done");
  static final MachineView MACHINE =
      new MachineView(
          "h",
          true,
          "sim:1x24G",
          List.of(
              new MachineView.GpuView(
                  0,
                  "GPU-1",
                  "Sim",
                  true,
                  24L << 30,
                  null,
                  5,
                  null,
                  99.5,
                  "shared",
                  null,
                  List.of(new MachineView.GpuUser(42L, "42", 0.25, "ann", null, null, 8L << 30)))),
          16,
          8,
          64L << 30,
          1,
          List.of(new MachineView.PartitionView("short", 600L, null, false)));
  static final StatsView STATS =
      new StatsView(
          List.of(new StatsView.StateCount("COMPLETED", 3)),
          1.5,
          2.5,
          3.5,
          4.5,
          List.of(new StatsView.UserSum("ann", 3, 1.5, 2.5)));
  static final DaemonStatus STATUS =
      new DaemonStatus(
          7,
          "0.1.0",
          "h",
          "2026-11-15T01:02:03Z",
          "/d",
          "/s",
          "sim:1x24G",
          1,
          true,
          16,
          64L << 30,
          "none",
          1,
          2,
          List.of("a problem (mend it)"),
          List.of(new ProblemView("gpu", "GPU 0", "a problem", "mend it", "2026-11-15T01:02:03Z")));

  static final ChangesView.Delta DELTA =
      new ChangesView.Delta(
          2,
          "t",
          "job",
          42L,
          List.of(VIEW),
          List.of(),
          null,
          List.of(STATUS.problemDetails().getFirst()));

  /** What was called, with its arguments as JSON. */
  final List<String> asked = Collections.synchronizedList(new ArrayList<>());

  final List<Order> orders = Collections.synchronizedList(new ArrayList<>());
  final LinkedBlockingQueue<ChangesView> changes = new LinkedBlockingQueue<>();
  final CountDownLatch interrupted = new CountDownLatch(1);
  final Semaphore waiting = new Semaphore(0);
  volatile Answer<List<JobView>> shown = Answer.ok(List.of(VIEW));
  volatile CountDownLatch ended = new CountDownLatch(0);
  volatile String logPath = "/l/42.log";
  volatile boolean broken;

  private <T> Answer<T> say(T value, String what, @Nullable Object... arguments) {
    var line = new StringBuilder(what);
    for (Object argument : arguments) {
      line.append(' ').append(argument instanceof Control c ? RecordJson.write(c) : argument);
    }
    asked.add(line.toString());
    if (broken) {
      throw new IllegalStateException("broken");
    }
    return Answer.ok(value);
  }

  @Override
  @SuppressWarnings("unchecked") // It is what such a request is answered with.
  public <A> Answer<A> ask(ApiRequest<A> request) {
    return request instanceof ApiRequest.Changes(String epoch, OptionalLong after, Duration _)
        ? (Answer<A>) changes(epoch, after.orElse(-1))
        : MethodGflow.super.ask(request);
  }

  /** After 0 they come when a test says so; after 1 there is one, and after that none is kept. */
  private Answer<ChangesView> changes(String epoch, long after) {
    if (after != 0) {
      var last = new ChangesView(epoch, after < 0 ? 0 : 2, after < 0 ? List.of() : List.of(DELTA));
      return after > 1 ? new Answer.No<>(Answer.Kind.GONE, "not kept") : Answer.ok(last);
    }
    waiting.release();
    try {
      return Answer.ok(changes.take());
    } catch (InterruptedException e) {
      interrupted.countDown();
      throw new GoingDown();
    }
  }

  private <T> Answer<T> ifThere(List<JobRef> jobs, Answer<T> answer) {
    for (JobRef job : jobs) {
      if (!job.toString().startsWith("4") && !job.toString().equals("@")) {
        return Answer.refused("no job " + job + " (gqueue lists them)");
      }
    }
    return answer;
  }

  @Override
  public Answer<List<Receipt>> submit(List<Order> orders, Optional<String> key) {
    this.orders.addAll(orders);
    if (orders.getFirst().options().containsKey("refuse")) {
      return Answer.refused("gpus: need 9, the machine has 4");
    }
    if (orders.getFirst().options().containsKey("misspelt")) {
      return new Answer.No<>(Answer.Kind.USAGE, "there is no option --misspelt");
    }
    return say(Collections.nCopies(orders.size(), RECEIPT), "submit", orders.size(), key);
  }

  @Override
  public Answer<List<Preview>> tryOut(List<Order> orders) {
    this.orders.addAll(orders);
    return say(List.of(PREVIEW), "tryOut", orders.size());
  }

  @Override
  public Answer<JobList> jobs(JobQuery q) {
    return say(
        new JobList(List.of(VIEW), 7),
        "jobs",
        q.jobs(),
        q.states(),
        q.users(),
        q.names(),
        q.project(),
        q.endedSince(),
        q.limit());
  }

  @Override
  public Answer<List<JobView>> show(JobRef ref) {
    return ifThere(List.of(ref), shown);
  }

  @Override
  public Answer<List<Done>> cancel(Selection s) {
    return ifThere(
        s.jobs(),
        say(
            List.of(DONE),
            "cancel",
            s.jobs(),
            s.states(),
            s.held(),
            s.users(),
            s.names(),
            s.all()));
  }

  @Override
  public Answer<List<Done>> hold(List<JobRef> jobs) {
    return jobs.toString().equals("[49]")
        ? Answer.refused("job 49 runs already")
        : ifThere(jobs, say(List.of(DONE), "hold", jobs));
  }

  @Override
  public Answer<List<Done>> release(List<JobRef> jobs, Optional<Instant> begin) {
    return ifThere(jobs, say(List.of(DONE), "release", jobs, begin));
  }

  @Override
  public Answer<List<Done>> update(
      List<JobRef> jobs, SortedMap<String, String> options, Optional<String> key) {
    return ifThere(jobs, say(List.of(DONE), "update", jobs, options, key));
  }

  @Override
  public Answer<List<Done>> signal(List<JobRef> jobs, int signal, Recipients to) {
    return say(List.of(DONE), "signal", jobs, signal, to);
  }

  @Override
  public Answer<List<Done>> requeue(List<JobRef> jobs, boolean hold) {
    return say(List.of(DONE), "requeue", jobs, hold);
  }

  @Override
  public Answer<List<Receipt>> redo(JobRef job, boolean failedOnly, Optional<String> key) {
    return ifThere(List.of(job), say(List.of(RECEIPT), "redo", job, failedOnly, key));
  }

  @Override
  public Answer<List<JobView>> await(JobRef job) {
    waiting.release();
    try {
      ended.await();
      return say(List.of(VIEW), "await", job);
    } catch (InterruptedException e) {
      interrupted.countDown();
      return Answer.refused("interrupted");
    }
  }

  @Override
  public Answer<StepAnswer> step(StepOrder order, Duration patience) {
    asked.add("step " + order + " " + patience);
    return Answer.ok(STEP);
  }

  @Override
  public Answer<JoinAnswer> join(JoinOrder order, Duration patience) {
    asked.add("join " + order + " " + patience);
    return Answer.ok(JOINED);
  }

  @Override
  public Answer<List<Done>> endStep(StepRef step, OptionalInt signal) {
    return say(List.of(DONE), "endStep", step, signal);
  }

  @Override
  public Answer<List<StepView>> steps(JobRef job) {
    asked.add("steps " + job);
    return Answer.ok(List.of(STEP_VIEW));
  }

  @Override
  public Answer<GpusView> gpus(JobRef job, GpusOrder order, Duration patience) {
    asked.add("cards " + job + " " + order + " " + patience);
    return Answer.ok(CARDS);
  }

  @Override
  public Answer<Done> progress(JobRef job, String text) {
    asked.add("progress " + job + " " + text);
    return Answer.ok(DONE);
  }

  static final GpusView CARDS =
      new GpusView(42, 4, List.of(new GpusView.OneGpu(1, "GPU-1", true, true)), 1);

  static final StepAnswer STEP =
      new StepAnswer.Waits("needs 1 GPU, 0 of 4 free", List.of("--exact"));

  static final JoinAnswer JOINED =
      new JoinAnswer.Joined(
          42, "host", "A=\u00e9\0B=2\0", Optional.of("/slurm"), "/jobs/why", "/usr/bin/env");

  static final StepView STEP_VIEW =
      new StepView(
          "42.0",
          1,
          "x",
          "FAILED",
          3,
          9,
          2,
          4,
          List.of(1),
          List.of(0),
          5L,
          "then",
          null,
          1.5,
          0.5,
          7L);

  @Override
  public Answer<LogPlace> log(JobRef job) {
    var place = new LogPlace(logPath, Optional.of("/l/42.err"), true, Optional.of("0-3"));
    return ifThere(List.of(job), say(place, "log", job));
  }

  @Override
  public Answer<MachineView> machine() {
    return say(MACHINE, "machine");
  }

  @Override
  public Answer<Done> control(Control control) {
    return say(DONE, "control", control);
  }

  @Override
  public Answer<StatsView> stats(
      Optional<String> user, Optional<String> project, Optional<Instant> since) {
    return say(STATS, "stats", user, project, since);
  }

  @Override
  public Answer<DaemonStatus> status() {
    return say(STATUS, "status");
  }

  @Override
  public Answer<Done> down(boolean cancelJobs) {
    return say(DONE, "down", cancelJobs);
  }
}
