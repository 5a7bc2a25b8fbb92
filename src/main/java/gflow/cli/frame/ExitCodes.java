package gflow.cli.frame;

import gflow.api.JobView;
import gflow.job.JobState;
import java.util.List;

/** The exit code that stands for how jobs ended: the highest of them. */
public final class ExitCodes {
  private static final int TIME_LIMIT = 124;
  private static final int CANCELLED = 130;
  private static final int KILLED = 137;
  private static final int SIGNALLED = 128;

  private ExitCodes() {}

  public static int code(List<JobView> jobs) {
    return jobs.stream().mapToInt(ExitCodes::code).max().orElse(0);
  }

  public static int code(JobView job) {
    return switch (JobText.state(job).orElse(JobState.FAILED)) {
      case PENDING, RUNNING, COMPLETING, COMPLETED -> 0;
      case FAILED -> own(job, 1);
      case OUT_OF_MEMORY -> own(job, KILLED);
      case TIMEOUT -> TIME_LIMIT;
      case CANCELLED -> CANCELLED;
      case NODE_FAIL -> 1;
    };
  }

  private static int own(JobView job, int otherwise) {
    if (job.signal() != null && job.signal() > 0) {
      return SIGNALLED + job.signal();
    }
    return job.exitCode() != null && job.exitCode() > 0 ? job.exitCode() : otherwise;
  }
}
