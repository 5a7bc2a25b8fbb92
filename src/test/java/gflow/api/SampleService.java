package gflow.api;

import gflow.api.Gflow.Done;
import gflow.api.Gflow.JobList;
import gflow.api.Gflow.LogPlace;
import gflow.api.Gflow.Preview;
import gflow.api.Gflow.Receipt;
import gflow.job.JobRef;
import gflow.script.order.Order;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/** What the fake says behind the server of these tests: there is job 42, with every field. */
final class SampleService {
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
          "exit_code",
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
          List.of("fail", "oom"),
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
          "uses 2G on GPU 0, promised 1G",
          new JobView.GpuUseView(12, 43, 98, 1L << 30, 2L << 30),
          true,
          true,
          new TreeMap<>(Map.of("mem-per-cpu", "512")),
          new TreeMap<>(Map.of("account", "physics")),
          new TreeMap<>(Map.of("lr", "0.1")),
          List.of(
              new AttemptView(
                  1,
                  "FAILED",
                  null,
                  "exit_code",
                  3,
                  null,
                  "2026-11-15T01:02:03+01:00",
                  null,
                  List.of(0, 1))));

  static final Receipt RECEIPT = new Receipt(42, 5, "x", "/l/42.log", Optional.empty());

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
                  null,
                  List.of(
                      new MachineView.GpuUser(
                          42L, "42", "train", 0.25, "ann", null, null, 8L << 30)))),
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
          43.5,
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
          "all jobs",
          "none",
          List.of("--nvmps"),
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

  static final GpusView GPUS =
      new GpusView(42, 4, List.of(new GpusView.OneGpu(1, "GPU-1", true, true)), 1);

  static final StepAnswer STEP =
      new StepAnswer.Waits("needs 1 GPU, 0 of 4 free", List.of("--exact"));

  static final JoinAnswer JOINED =
      new JoinAnswer.Joined(
          42,
          "host",
          "A=\u00e9\0B=2\0",
          Optional.of("/slurm"),
          "/jobs/why",
          "/usr/bin/env",
          List.of("/usr/bin/nsenter", "--target", "7", "--"));

  static final GpuCurveView CURVE =
      new GpuCurveView(
          42,
          1,
          2,
          List.of(
              new GpuCurveView.GpuSamples(
                  3,
                  List.of(
                      new GpuCurveView.Sample(0, 97, 1L << 35),
                      new GpuCurveView.Sample(4, null, 0)))));

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

  final LinkedBlockingQueue<ChangesView> changes = new LinkedBlockingQueue<>();
  final CountDownLatch interrupted = new CountDownLatch(1);
  final Semaphore waiting = new Semaphore(0);
  volatile CountDownLatch ended = new CountDownLatch(0);
  volatile String logPath = "/l/42.log";
  volatile boolean broken;

  Answer<?> answer(ApiRequest<?> request) {
    if (broken) {
      throw new IllegalStateException("broken");
    }
    return switch (request) {
      case ApiRequest.OfJob<?> one when !isThere(one.job()) -> noJob(one.job());
      case ApiRequest.OfJob<?> one -> ofJob(one);
      case ApiRequest.Submit(var orders, _) -> submitted(orders);
      case ApiRequest.TryOut _ -> Answer.ok(List.of(PREVIEW));
      case ApiRequest.Jobs _ -> Answer.ok(new JobList(List.of(VIEW), 7));
      case ApiRequest.Cancel(var selection) -> done(selection.jobs());
      case ApiRequest.Hold(var jobs) ->
          jobs.toString().equals("[49]") ? Answer.refused("job 49 runs already") : done(jobs);
      case ApiRequest.Release(var jobs, _) -> done(jobs);
      case ApiRequest.Update(var jobs, _, _) -> done(jobs);
      case ApiRequest.Signal(var jobs, _, _) -> done(jobs);
      case ApiRequest.Requeue(var jobs, _) -> done(jobs);
      case ApiRequest.EndStep _ -> Answer.ok(List.of(DONE));
      case ApiRequest.Step _ -> Answer.ok(STEP);
      case ApiRequest.Join _ -> Answer.ok(JOINED);
      case ApiRequest.Machine() -> Answer.ok(MACHINE);
      case ApiRequest.Controls _, ApiRequest.Snapshot _ -> Answer.refused("not here");
      case ApiRequest.Changes(var epoch, var after, _) -> changes(epoch, after.orElse(-1));
      case ApiRequest.Stats _ -> Answer.ok(STATS);
      case ApiRequest.Status() -> Answer.ok(STATUS);
      case ApiRequest.Control _, ApiRequest.Down _ -> Answer.ok(DONE);
    };
  }

  private Answer<?> ofJob(ApiRequest.OfJob<?> request) {
    return switch (request) {
      case ApiRequest.Show _ -> Answer.ok(List.of(VIEW));
      case ApiRequest.Redo _ -> Answer.ok(List.of(RECEIPT));
      case ApiRequest.Wait _ -> ended();
      case ApiRequest.Steps _ -> Answer.ok(List.of(STEP_VIEW));
      case ApiRequest.Plot _ -> Answer.ok(CURVE);
      case ApiRequest.JobGpus _ -> Answer.ok(GPUS);
      case ApiRequest.Progress _ -> Answer.ok(DONE);
      case ApiRequest.Log _ ->
          Answer.ok(new LogPlace(logPath, Optional.of("/l/42.err"), true, Optional.of("0-3")));
    };
  }

  private static boolean isThere(JobRef job) {
    return job.toString().startsWith("4") || job.toString().equals("@");
  }

  private static Answer<?> noJob(JobRef job) {
    return Answer.refused("no job " + job + " (gqueue lists them)");
  }

  private static Answer<?> done(List<JobRef> jobs) {
    return jobs.stream()
        .filter(job -> !isThere(job))
        .findFirst()
        .<Answer<?>>map(SampleService::noJob)
        .orElseGet(() -> Answer.ok(List.of(DONE)));
  }

  private static Answer<?> submitted(List<Order> orders) {
    if (orders.getFirst().options().containsKey("refuse")) {
      return Answer.refused("gpus: need 9, the machine has 4");
    }
    if (orders.getFirst().options().containsKey("misspelt")) {
      return new Answer.No<>(Answer.Kind.USAGE, "there is no option --misspelt");
    }
    return Answer.ok(Collections.nCopies(orders.size(), RECEIPT));
  }

  /** After 0 they come when a test says so; after 1 there is one, and after that none is kept. */
  private Answer<?> changes(String epoch, long after) {
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

  private Answer<?> ended() {
    waiting.release();
    try {
      ended.await();
      return Answer.ok(List.of(VIEW));
    } catch (InterruptedException e) {
      interrupted.countDown();
      return Answer.refused("interrupted");
    }
  }
}
