package gflow.cli;

import gflow.daemon.core.Inventory;
import gflow.daemon.core.OperatorControls;
import gflow.gpu.GpuDevice;
import gflow.gpu.GpuProcess;
import gflow.gpu.GpuReading;
import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.Exit;
import gflow.job.GpuCurve;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.GpuUse;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Tasks;
import gflow.job.JobSpec.Terms;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Owner;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.SampleSpec;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.Sweep;
import gflow.job.TaskState;
import gflow.job.Usage;
import gflow.job.Where;
import gflow.local.AttemptPaths;
import gflow.plan.UsageLimits;
import gflow.store.Change;
import gflow.store.Store;
import gflow.store.Store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** What the store and the GPUs of the lab server hold at twelve: jobs in every state. */
final class LabJobs {
  static final Owner ALICE = new Owner(1000, 1000, "alice");
  static final AttemptPaths PLACES =
      new AttemptPaths(Path.of("/jobs"), Path.of("/logs"), Path.of("/nowhere"), "lab1");
  private static final Owner BOB = new Owner(1001, 1001, "bob");
  private static final long GIB = 1L << 30;
  private static final int GPUS = 7;
  private static final String BOOT = "boot";
  private static final Instant SUBMITTED = at("09:00:00");
  static final Instant NOW = at("12:00:00");
  private static final List<Change> ROWS = new LabJobs().rows();

  private final List<Change> rows = new ArrayList<>();

  private static Instant at(String time) {
    return Instant.parse("2026-11-15T" + time + "+01:00");
  }

  /** Job 99 has been there and is forgotten: 100 is the next. */
  static void fill(Store store) throws StoreException {
    store.commit(ROWS);
    store.prune(SUBMITTED.minus(Duration.ofDays(30)));
  }

  // ---- the machine ----

  static Inventory.Stock stock() {
    return new Inventory.Stock(
        IntStream.range(0, GPUS)
            .mapToObj(i -> new GpuDevice(gpu(i), i, "Simulated 24G", 24 * GIB, Ranges.EMPTY, true))
            .toList(),
        true,
        Ranges.firstN(16),
        64 * GIB,
        0,
        BOOT);
  }

  private static GpuId gpu(int index) {
    return new GpuId("GPU-sim-" + index);
  }

  /** Job 67 computes on GPU 0, and somebody else on GPU 4. */
  static boolean look(Inventory inventory, Instant now) {
    long carols = 3 * GIB + GIB / 5;
    var carol = new GpuProcess(4711, "carol", "python", OptionalLong.of(carols));
    List<GpuReading> readings =
        IntStream.range(0, GPUS)
            .mapToObj(
                i ->
                    switch (i) {
                      case 0 -> reading(i, 5 * GIB, 97, List.of());
                      case 4 -> reading(i, carols, 12, List.of(carol));
                      default -> reading(i, 0, 0, List.of());
                    })
            .toList();
    var outsiders = new TreeMap<>(Map.of(gpu(4), "python of carol, pid 4711, 3.2G"));
    inventory.sampled(inventory.looks(), new Inventory.Sample(readings, outsiders, Map.of()), now);
    return true;
  }

  private static GpuReading reading(int index, long used, int busy, List<GpuProcess> processes) {
    return new GpuReading(
        gpu(index),
        OptionalLong.of(used),
        OptionalInt.of(busy),
        OptionalInt.of(41),
        Optional.of(70.5),
        processes,
        Optional.empty());
  }

  // ---- the jobs ----

  private List<Change> rows() {
    rows.add(new Change.PutBlob(SampleSpec.ENVIRONMENT, new byte[0]));
    var drained = new TreeMap<>(Map.of(gpu(3).uuid(), "fan is broken"));
    var controls = OperatorControls.none(UsageLimits.NONE).withDrained(drained);
    rows.add(new Change.Setting(OperatorControls.KEY, controls.text()));
    prep();
    brave();
    queued();
    shared();
    ended();
    sweep();
    List<Integer> odd = IntStream.range(0, 14).mapToObj(k -> 2 * k + 1).toList();
    submit(72, array(spec("odd"), Ranges.ofAll(odd)), SUBMITTED);
    Job forgotten = submit(99, spec("train"), Instant.EPOCH);
    progress(forgotten.drop(Ranges.firstN(1), Instant.EPOCH, "cancelled by alice"));
    return List.copyOf(rows);
  }

  private void prep() {
    Usage usage = new Usage(Optional.of(Duration.ofSeconds(61)), OptionalLong.of(300L << 20));
    JobSpec quiet = writing(spec("prep"), Optional.of("/dev/null"), Optional.empty());
    Job prep = submit(1, quiet.withRequest(SampleSpec.whole(0)), SUBMITTED);
    Attempt ran = attempt(1, "09:00:01", Ranges.of(0, 0), 0);
    Instant end = at("09:01:06.200");
    progress(end(prep, 0, ran, new Outcome(JobState.COMPLETED, Exit.OK, usage, end, "")));
  }

  /** Runs for the second time, with a step that failed and one that runs. */
  private void brave() {
    var gpus = new GpuRequest.Whole(2);
    var labels = new TreeMap<>(Map.of(JobSpec.PROJECT, "vision", JobSpec.COMMENT, "second try"));
    JobSpec spec =
        spec("brave-river-1234")
            .withRequest(new Request(1, 4, 8 * GIB, gpus, GpuFilter.ANY))
            .withTerms(SampleSpec.terms(Optional.of(Duration.ofHours(4)), 2, true))
            .withLabels(labels);
    Job brave = submit(42, spec, SUBMITTED);
    var first = attempt(1, "09:00:01", Ranges.of(0, 3), 8 * GIB, 0, 6);
    var failed = new Outcome(JobState.FAILED, Exit.code(3), Usage.UNKNOWN, at("09:57:57"), "");
    started(brave, 0, first);
    rows.add(new Change.AttemptEnded(id(brave, 0, first), first, failed));
    progress(brave.with(0, new TaskState.Pending(2)));
    Attempt second = attempt(2, "10:57:57", Ranges.of(0, 3), 8 * GIB, 1, 2);
    started(brave, 0, second);
    step(id(brave, 0, second), 0, "prepare");
    Usage little = new Usage(Optional.of(Duration.ofMillis(12_500)), OptionalLong.of(3L << 20));
    rows.add(
        new Change.StepEnded(
            new StepId(id(brave, 0, second), 0), new Step.End(Exit.code(3), NOW, little)));
    step(id(brave, 0, second), 1, "train");
    rows.add(used(id(brave, 0, second)));
  }

  /** An hour of epochs: one GPU computes and waits in turn, the other has more and more in it. */
  private static Change used(AttemptId attempt) {
    GpuCurve curve = GpuCurve.NONE;
    for (int second = 10; second < 3720; second += 10) {
      Duration age = Duration.ofSeconds(second);
      int busy = second < 120 ? 0 : second % 900 < 120 ? 20 : 95;
      int rising = Math.min(80, second / 30);
      curve = curve.with(age, 1, OptionalInt.of(busy), second < 120 ? GIB : 18 * GIB);
      curve = curve.with(age, 2, OptionalInt.of(rising), (2 + second / 300) * GIB);
    }
    var use = new GpuUse(371, OptionalInt.of(66), OptionalInt.of(87), 25 * GIB, 32 * GIB);
    return new Change.GpusSeen(attempt, use, curve);
  }

  private void step(AttemptId attempt, int number, String name) {
    var share = new Step.Share(2, Ranges.of(0, 1), List.of(grant(1, 1000)), 0);
    rows.add(
        new Change.StepStarted(
            new Step(
                new StepId(attempt, number),
                name,
                1,
                false,
                share,
                new Step.Parent(4711 + number, 1),
                at("11:59:30"),
                Optional.empty())));
  }

  private void queued() {
    JobSpec big = spec(BOB, "big").withRequest(SampleSpec.whole(4));
    JobSpec told = writing(big, Optional.of("/logs/%j.out"), Optional.of("/logs/%j.err"));
    submit(43, told.withTerms(terms(100, false, Dependencies.NONE)), SUBMITTED);
    submit(44, spec("train").withTerms(terms(10, true, Dependencies.NONE)), SUBMITTED);
    submit(45, after("eval", Dependencies.Kind.AFTEROK, 43), SUBMITTED);
    submit(46, after("report", Dependencies.Kind.AFTERANY, 45, 42), SUBMITTED);
  }

  private static JobSpec after(String name, Dependencies.Kind kind, long... parents) {
    List<Dependency> all =
        LongStream.of(parents)
            .mapToObj(id -> Optional.<JobRef>of(new JobRef.ById(new JobId(id))))
            .map(parent -> new Dependency(kind, parent, Duration.ZERO))
            .toList();
    return spec(name)
        .withRequest(SampleSpec.whole(0))
        .withTerms(terms(10, false, new Dependencies(false, all, true)));
  }

  /** Two that share a GPU. */
  private void shared() {
    share(47, BOB, 250);
    share(48, ALICE, 500);
  }

  private void share(long id, Owner owner, int thousandths) {
    var request =
        new Request(1, 0, 0, GpuRequest.part(GpuPart.of(thousandths, 1000)), GpuFilter.ANY);
    Job job = submit(id, spec(owner, "notebook").withRequest(request), SUBMITTED);
    var part = new Allocation(List.of(grant(5, thousandths)), Ranges.EMPTY, 0);
    started(job, 0, new Attempt(1, part, at("11:00:00"), new Where.Here(BOOT)));
  }

  private void ended() {
    Job bobs = submit(49, spec(BOB, "notebook"), SUBMITTED);
    var well = outcome(JobState.COMPLETED, Exit.OK, at("09:20:00"));
    progress(end(bobs, 0, attempt(1, "09:10:00", Ranges.EMPTY, 0, 0), well));
    Instant yesterday = at("08:00:00").minus(Duration.ofDays(1));
    Job long50 = submit(50, spec("train"), yesterday);
    Attempt from = new Attempt(1, one(0), yesterday, new Where.Here(BOOT));
    Instant cancelled = yesterday.plusSeconds(90_061);
    progress(end(long50, 0, from, outcome(JobState.CANCELLED, Exit.signal(15), cancelled)));
    JobSpec minute =
        spec("train").withTerms(SampleSpec.terms(Optional.of(Duration.ofMinutes(1)), 0, false));
    Job late = submit(51, minute, SUBMITTED);
    var timeout = outcome(JobState.TIMEOUT, Exit.signal(15), at("09:31:00"));
    progress(end(late, 0, attempt(1, "09:30:00", Ranges.EMPTY, 0, 0), timeout));
    Job broken = submit(52, spec("train"), SUBMITTED);
    var crash = outcome(JobState.FAILED, Exit.signal(11), at("11:57:04"));
    progress(end(broken, 0, attempt(1, "11:57:00", Ranges.EMPTY, 0, 0), crash));
    Job dropped = submit(53, spec("train"), SUBMITTED);
    progress(dropped.drop(Ranges.firstN(1), at("09:50:00"), "cancelled by alice"));
  }

  private void sweep() {
    Ranges indices = Ranges.ofAll(List.of(0, 3, 5, 7, 9, 10, 11, 12));
    Job sweep = submit(63, array(spec("sweep"), indices), SUBMITTED);
    var failed = outcome(JobState.FAILED, Exit.code(3), at("09:45:02"));
    Job rest = end(sweep, 1, attempt(1, "09:45:00", Ranges.EMPTY, 0, 0), failed);
    Attempt runs = attempt(1, "11:59:55", Ranges.EMPTY, 0, 0);
    started(sweep, 3, runs);
    progress(rest.with(3, new TaskState.Starting(runs)));
  }

  // ---- words for them ----

  private static JobSpec spec(String name) {
    return spec(ALICE, name);
  }

  private static JobSpec spec(Owner owner, String name) {
    return SampleSpec.of(owner, name, new Program.Argv(List.of("python", "train.py")))
        .withRequest(SampleSpec.whole(1))
        .withScene(SampleSpec.in("/home/" + owner.name(), 0022, List.of()));
  }

  private static JobSpec array(JobSpec spec, Ranges indices) {
    return spec.withTasks(new Tasks(Optional.of(indices), Sweep.NONE, 0));
  }

  private static JobSpec writing(JobSpec spec, Optional<String> out, Optional<String> err) {
    JobSpec.Scene scene = spec.scene();
    return spec.withScene(
        new JobSpec.Scene(
            scene.folder(),
            scene.environment(),
            scene.umask(),
            scene.ulimits(),
            Optional.empty(),
            new JobSpec.Output(out, err, Optional.empty(), true),
            Optional.empty()));
  }

  private static Terms terms(int priority, boolean hold, Dependencies after) {
    return new Terms(priority, Optional.empty(), Optional.empty(), hold, after, 0, Terms.USUAL);
  }

  private static GpuGrant grant(int index, int thousandths) {
    return new GpuGrant(
        gpu(index), index, GpuPart.of(thousandths, 1000), 24 * GIB * thousandths / 1000);
  }

  private static Allocation one(int gpu) {
    return new Allocation(List.of(grant(gpu, 1000)), Ranges.EMPTY, 0);
  }

  private static Attempt attempt(int number, String from, Ranges cpus, long memory, int... gpus) {
    List<GpuGrant> grants = IntStream.of(gpus).mapToObj(index -> grant(index, 1000)).toList();
    var allocation = new Allocation(grants, cpus, memory);
    return new Attempt(number, allocation, at(from), new Where.Here(BOOT));
  }

  private static Outcome outcome(JobState state, Exit exit, Instant at) {
    return new Outcome(state, exit, Usage.UNKNOWN, at, "");
  }

  private Job submit(long id, JobSpec spec, Instant at) {
    Job job = Job.submitted(new JobId(id), spec, at);
    rows.add(new Change.Submit(job));
    return job;
  }

  private static AttemptId id(Job job, int offset, Attempt attempt) {
    return new AttemptId(job.task(offset), attempt.number());
  }

  private void started(Job job, int offset, Attempt attempt) {
    rows.add(new Change.AttemptStarted(id(job, offset, attempt), attempt));
  }

  private Job end(Job job, int offset, Attempt attempt, Outcome outcome) {
    started(job, offset, attempt);
    rows.add(new Change.AttemptEnded(id(job, offset, attempt), attempt, outcome));
    return job.with(offset, new TaskState.Starting(attempt))
        .with(offset, new TaskState.Ended(Optional.of(attempt), outcome));
  }

  private void progress(Job job) {
    rows.add(new Change.Progress(job));
  }
}
