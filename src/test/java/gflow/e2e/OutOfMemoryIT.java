package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

class OutOfMemoryIT {
  /** Fills a shell's variable without end; without a memory cgroup nobody stops it at the limit. */
  private static final String EATER = "s=aaaaaaaa; while [ ${#s} -lt 200000000 ]; do s=$s$s; done";

  @Test
  void a_job_that_is_killed_for_its_memory_says_so_in_its_log() {
    try (var lab = new Lab()) {
      lab.up();
      long job = lab.submit("--mem", "60M", "--wrap", EATER);
      lab.run("gjob", "wait", Long.toString(job));
      String state = String.valueOf(lab.job(job).get("state"));
      assumeTrue(!state.equals("COMPLETED"), "memory is not limited on this machine");

      assertThat(state).isEqualTo("OUT_OF_MEMORY");
      assertThat(lab.log(job)).contains("oom_kill").contains("ask for more with --mem");
    }
  }
}
