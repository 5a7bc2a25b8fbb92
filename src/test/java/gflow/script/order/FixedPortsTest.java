package gflow.script.order;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.order.FixedPorts.Found;
import gflow.script.value.BadInput;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FixedPortsTest {
  private static List<Found> script(String text) {
    return FixedPorts.in(new Order.Body.Script("a.sh", text.getBytes(UTF_8), List.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "torchrun --master_port 12355 a.py | 12355 | --master_port $GFLOW_PORT",
        "torchrun --master-port=12355 a.py | 12355 | --master-port=$GFLOW_PORT",
        "torchrun --rdzv-endpoint localhost:29500 a.py | 29500 |"
            + " --rdzv-endpoint localhost:$GFLOW_PORT",
        "torchrun --rdzv_endpoint=$(hostname):29500 | 29500 |"
            + " --rdzv_endpoint=$(hostname):$GFLOW_PORT",
        "accelerate launch --main_process_port 29501 | 29501 | --main_process_port $GFLOW_PORT",
        "export MASTER_PORT=12355 | 12355 | MASTER_PORT=$GFLOW_PORT",
        "MASTER_PORT=\"12355\" python a.py | 12355 | MASTER_PORT=$GFLOW_PORT",
        "os.environ['MASTER_PORT'] = '12355' | 12355 | os.environ['GFLOW_PORT']",
      })
  void a_number_is_found_where_programs_meet(String line, int port, String instead) {
    assertThat(script("#!/bin/bash\n" + line + "\n")).containsExactly(new Found(2, port, instead));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# torchrun --master_port 12355",
        "python a.py # MASTER_PORT=12355",
        "export MASTER_PORT=$GFLOW_PORT",
        "export MASTER_PORT=${MASTER_PORT:-29500}",
        "export MASTER_PORT=$((10000 + SLURM_JOB_ID % 20000))",
        "[ $MASTER_PORT == 12355 ]",
        "torchrun --rdzv-endpoint localhost:0",
        "python serve.py --port 8080",
        "MY_MASTER_PORTS=12355",
        "echo $MASTER_PORT",
      })
  void others_are_no_false_alarm(String line) {
    assertThat(script("#!/bin/bash\n" + line + "\n")).isEmpty();
  }

  @Test
  void words_are_looked_at_as_lines_are_and_not_without_end() throws BadInput {
    assertThat(FixedPorts.numbers(new Order.Body.Command(List.of("t", "--master_port", "12355"))))
        .containsExactly(12355);
    assertThat(FixedPorts.numbers(new Order.Body.Wrap("MASTER_PORT=12 a; MASTER_PORT=11 b")))
        .containsExactly(11, 12);
    assertThat(script("MASTER_PORT=12355\n".repeat(1000)).size()).isLessThan(20);
  }
}
