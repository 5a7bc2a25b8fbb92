package gflow.daemon.core;

import gflow.job.JobSpec;
import gflow.job.Where;

/** Which engine runs a job. */
public interface Routing {
  /** All on this machine. */
  Routing HERE = (_, boot) -> new Where.Here(boot);

  /** {@code boot}: the machine's boot that this is. */
  Where where(JobSpec spec, String boot);
}
