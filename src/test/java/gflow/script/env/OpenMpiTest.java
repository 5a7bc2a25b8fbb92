package gflow.script.env;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OpenMpiTest {
  private static byte[] block(String... entries) {
    return (String.join("\0", entries) + "\0").getBytes(ISO_8859_1);
  }

  private static List<String> entries(byte[] block) {
    return Environment.of(block).entries();
  }

  @Test
  void mpirun_knows_nothing_of_slurm_and_has_its_orders_whatever_the_user_wants() {
    byte[] task =
        block("SLURM_NODELIST=n", "SLURM_STEP_ID=0", "A=\u00ff", "OMPI_MCA_plm=slurm", "x.y=1");

    assertThat(entries(OpenMpi.mpirun(task)))
        .contains("A=\u00ff", "x.y=1", "OMPI_MCA_plm=isolated", "OMPI_ALLOW_RUN_AS_ROOT=1")
        .contains("PRTE_ALLOW_RUN_AS_ROOT=1", "PRTE_MCA_hwloc_default_binding_policy=none")
        .noneMatch(entry -> entry.startsWith("SLURM_"));
  }

  @Test
  void a_rank_keeps_all_names_of_its_task_and_gets_what_mpirun_told() {
    byte[] task = block("SLURM_PROCID=1", "A=\u00ff", "OMPI_MCA_btl=self", "x.y=1");
    byte[] standIn =
        block("SLURM_PROCID=0", "A=other", "OMPI_MCA_btl=tcp", "PMIX_RANK=1", "PWD=/elsewhere");

    assertThat(entries(OpenMpi.rank(task, standIn)))
        .containsExactlyInAnyOrder(
            "SLURM_PROCID=1", "A=\u00ff", "x.y=1", "OMPI_MCA_btl=tcp", "PMIX_RANK=1");
  }

  @Test
  void each_stand_in_finds_its_own_descriptor() {
    assertThat(OpenMpi.words("/m", 7, 3, List.of(4, 5)))
        .startsWith("/bin/sh")
        .containsSubsequence("/m", "-np", "2")
        .endsWith("sh", "7", "3", "4", "5");
  }
}
