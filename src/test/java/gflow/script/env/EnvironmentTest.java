package gflow.script.env;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.Refusal;
import gflow.script.value.BadInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ~} stands for NUL. */
class EnvironmentTest {
  private static String exported(String block, String export) throws BadInput {
    byte[] result = Exports.apply(block.replace('~', '\0').getBytes(ISO_8859_1), export).block();
    return new String(result, ISO_8859_1).replace('\0', '~');
  }

  @Test
  void bytes_names_and_order_are_kept() throws BadInput {
    String odd = "Z=\u00ff\u00fe=x~BASH_FUNC_module%%=() {  eval\n}~A=~noequals~B=1~B=2~";

    assertThat(exported(odd, "ALL")).isEqualTo(odd);
  }

  @Test
  void what_an_outer_job_said_is_dropped_and_the_users_settings_stay() throws BadInput {
    assertThat(
            exported(
                "SLURM_JOB_ID=1~A=1~GFLOW_JOB_ID=2~SLURMD_NODENAME=n~CUDA_VISIBLE_DEVICES=0~"
                    + "GFLOW_HOME=/h~_=/bin/env~GFLOW_GPUS=sim:4~SLURM_CONF=/c~GFLOWX=1~",
                "all"))
        .isEqualTo("A=1~GFLOW_HOME=/h~SLURM_CONF=/c~GFLOWX=1~");
  }

  @Test
  void what_gflow_set_for_an_outer_job_is_dropped_unless_changed() throws BadInput {
    String set =
        "GFLOW_SET=" + JobEnvironment.mark("TMPDIR", "/t") + "," + JobEnvironment.mark("lr", "1");

    assertThat(exported("TMPDIR=/t~lr=2~" + set + "~", "ALL")).isEqualTo("lr=2~");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALL|A=1~B=2~HOME=/h~PATH=/b~",
        "NONE|HOME=/h~PATH=/b~",
        "A|A=1~HOME=/h~PATH=/b~",
        "A,NEW=x y|A=1~HOME=/h~PATH=/b~NEW=x y~",
        "ALL,A=9|B=2~HOME=/h~PATH=/b~A=9~",
        "A,,L=1, M=2|A=1~HOME=/h~PATH=/b~L=1~M=2~",
        "ALL,L=\"1,2\",M=|A=1~B=2~HOME=/h~PATH=/b~L=\"1,2\"~M=~",
        "MISSING|HOME=/h~PATH=/b~",
      })
  void export_chooses(String export, String result) throws BadInput {
    assertThat(exported("A=1~B=2~HOME=/h~PATH=/b~", export)).isEqualTo(result);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "A B|export 'A B': 'A B' is no name; write all, none or A,B=value",
        "NONE,A|export 'NONE,A' says none and something; write one of them",
        "A='x|export 'A='x': a quote ' is not closed",
        "CUDA_VISIBLE_DEVICES=1|export 'CUDA_VISIBLE_DEVICES=1': gflow sets CUDA_VISIBLE_DEVICES"
            + " itself; leave it out",
      })
  void a_wrong_export_is_refused(String export, String line) {
    Refusal.of(() -> exported("", export), line);
  }
}
