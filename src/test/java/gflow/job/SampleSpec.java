package gflow.job;

import gflow.job.JobSpec.Output;
import gflow.job.JobSpec.Scene;
import gflow.job.JobSpec.Tasks;
import gflow.job.JobSpec.Terms;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One small job for the tests of all rooms: anna's, one task, no GPU, no time limit. A test says by
 * {@code with…} what is different about its own.
 */
public final class SampleSpec {
  public static final Owner ANNA = new Owner(1000, 100, "anna");
  public static final BlobId ENVIRONMENT = new BlobId("e".repeat(64));

  private SampleSpec() {}

  public static JobSpec of(Program program) {
    return of(ANNA, "train", program);
  }

  public static JobSpec of(Owner owner, String name, Program program) {
    return new JobSpec(
        owner,
        name,
        program,
        whole(0),
        terms(Optional.empty(), 0, false),
        Tasks.ONE,
        in("/work", 0022, List.of()),
        RequestedOptions.NONE,
        new TreeMap<>());
  }

  public static Request whole(int gpus) {
    return new Request(
        1, 0, 0, gpus == 0 ? new GpuRequest.None() : new GpuRequest.Whole(gpus), GpuFilter.ANY);
  }

  public static Terms terms(Optional<Duration> limit, int retries, boolean requeue) {
    List<RetryOn> on = requeue ? RetryOn.requeued(Terms.USUAL) : Terms.USUAL;
    return new Terms(10, limit, Optional.empty(), false, Dependencies.NONE, retries, on);
  }

  public static Scene in(String folder, int umask, List<String> ulimits) {
    return new Scene(
        folder, ENVIRONMENT, umask, ulimits, Optional.empty(), Output.DEFAULT, Optional.empty());
  }
}
