package gflow.script.env;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a program gets that runs in a job but was not started by it. */
class JoinedEnvironmentTest {
  private static byte[] block(String... entries) {
    return (String.join("\0", entries) + "\0").getBytes(UTF_8);
  }

  private static List<String> joined(byte[] caller, byte[] job) {
    byte[] whole = JoinedEnvironment.of(caller, job, Optional.of("/slurm"));
    return List.of(new String(whole, ISO_8859_1).split("\0", -1));
  }

  @Test
  void the_jobs_own_variables_go_over_the_callers_and_those_of_an_outer_job_are_gone() {
    assertThat(
            joined(
                block(
                    "PATH=/bin", "A=1", "SLURM_JOB_ID=7", "SLURM_NTASKS=9", "GFLOW_HOME=/h", "_=x"),
                block(
                    "PATH=/job/bin",
                    "A=2",
                    "B=3",
                    "SLURM_JOB_ID=8",
                    "SLURM_PROCID=0",
                    "CUDA_VISIBLE_DEVICES=0,1")))
        .containsExactly(
            "PATH=/slurm:/bin",
            "A=1",
            "GFLOW_HOME=/h",
            "SLURM_JOB_ID=8",
            "CUDA_VISIBLE_DEVICES=0,1",
            "");
  }

  @Test
  void what_gflow_only_offers_the_caller_may_have_set_otherwise() {
    assertThat(
            joined(
                block("PATH=/bin", "TMPDIR=/mine"),
                block("TMPDIR=/job", "MASTER_PORT=5", "GFLOW_SET=TMPDIR:1,MASTER_PORT:2")))
        .contains("TMPDIR=/mine", "MASTER_PORT=5")
        .doesNotContain("TMPDIR=/job");
  }

  @Test
  void the_way_from_one_to_the_other_is_short() {
    var change = JoinedEnvironment.change(block("A=1", "B=2", "C=3"), block("A=1", "B=4", "D=5"));

    assertThat(change.set()).containsOnlyKeys("B", "D").containsEntry("B", "4");
    assertThat(change.unset()).containsExactly("C");
  }
}
