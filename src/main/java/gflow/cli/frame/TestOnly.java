package gflow.cli.frame;

import gflow.api.Gflow.Preview;

/** Slurm's {@code --test-only}: says when a job would start, and submits nothing. */
public final class TestOnly {
  public static final String OPTION = "test-only";

  private TestOnly() {}

  public static int say(Call call, Preview preview) throws Refused {
    String host = call.host();
    String now = JobText.time(call.now(), call.zone());
    call.problem(
        "Job %d to start at %s using %d processors on nodes %s in partition %s"
            .formatted(
                preview.jobId(),
                preview.waits().isEmpty() ? now : "Unknown",
                Math.max(1, preview.cpus()),
                host,
                JobText.PARTITION));
    if (!preview.waits().isEmpty()) {
      call.problem("it would wait " + preview.waits());
    }
    return 0;
  }
}
