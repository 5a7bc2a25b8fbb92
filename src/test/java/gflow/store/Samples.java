package gflow.store;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.BlobId;
import gflow.job.Exit;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.GpuUse;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Tasks;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Owner;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.SampleSpec;
import gflow.job.Sweep;
import gflow.job.TaskState;
import gflow.job.Usage;
import gflow.job.Where;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Small jobs for the tests of the store. */
final class Samples {
  static final Instant T0 = Instant.parse("2026-03-01T12:00:00.123456Z");
  static final BlobId ENVIRONMENT = SampleSpec.ENVIRONMENT;
  static final Owner ANNA = SampleSpec.ANNA;
  static final Owner BEN = new Owner(1001, 100, "ben");
  static final Allocation HALF_GPU =
      new Allocation(
          List.of(new GpuGrant(new GpuId("GPU-a"), 0, GpuPart.of(500, 1000), 1L << 30)),
          Ranges.of(2, 5),
          1L << 32,
          20_007);
  static final Allocation NOTHING = new Allocation(List.of(), Ranges.EMPTY, 0);

  private Samples() {}

  static BlobId blob(char digit) {
    return new BlobId(String.valueOf(digit).repeat(64));
  }

  static Change putEnvironment() {
    return put(ENVIRONMENT);
  }

  static Change put(BlobId id) {
    return new Change.PutBlob(id, id.sha256().getBytes(StandardCharsets.UTF_8));
  }

  static Instant at(long seconds) {
    return T0.plusSeconds(seconds);
  }

  static JobSpec spec(Owner owner, String name) {
    var program = new Program.Argv(List.of("python", "train.py", "--seed", "1"));
    return SampleSpec.of(owner, name, program)
        .withRequest(SampleSpec.whole(1))
        .withTerms(SampleSpec.terms(Optional.of(Duration.ofHours(2)), 0, false))
        .withScene(SampleSpec.in("/home/anna/work", 0022, List.of("-S -n 1024")));
  }

  static Job job(long id) {
    return job(id, spec(ANNA, "train"));
  }

  static Job job(long id, JobSpec spec) {
    return Job.submitted(new JobId(id), spec, at(id));
  }

  static Job array(long id, int tasks) {
    return job(
        id,
        spec(ANNA, "array").withTasks(new Tasks(Optional.of(Ranges.firstN(tasks)), Sweep.NONE, 0)));
  }

  static JobSpec ofProject(JobSpec spec, String project) {
    var labels = new TreeMap<String, String>();
    labels.put(JobSpec.PROJECT, project);
    return spec.withLabels(labels);
  }

  static AttemptId attempt(Job job, int offset, int number) {
    return new AttemptId(job.task(offset), number);
  }

  static Attempt attempt(int number, Instant startedAt) {
    return new Attempt(number, HALF_GPU, startedAt, new Where.Here("boot-" + number));
  }

  static Outcome outcome(JobState state, Instant endedAt) {
    Exit exit = state == JobState.COMPLETED ? Exit.OK : Exit.code(3);
    var usage =
        new Usage(Optional.of(Duration.ofMillis(1500)), OptionalLong.of(4096))
            .with(Optional.of(new GpuUse(3, OptionalInt.of(40), OptionalInt.of(90), 5, 6)));
    return new Outcome(state, exit, usage, endedAt, "");
  }

  /** The changes of one attempt from its start to its end. */
  static List<Change> run(Job job, int offset, int number, Outcome outcome) {
    AttemptId id = attempt(job, offset, number);
    Attempt attempt = attempt(number, outcome.endedAt().minusSeconds(10));
    return List.of(
        new Change.AttemptStarted(id, attempt), new Change.AttemptEnded(id, attempt, outcome));
  }

  static Job ended(Job job, int offset, Outcome outcome) {
    var attempt = attempt(1, outcome.endedAt().minusSeconds(10));
    return job.with(offset, new TaskState.Starting(attempt))
        .with(offset, new TaskState.Ended(Optional.of(attempt), outcome));
  }
}
