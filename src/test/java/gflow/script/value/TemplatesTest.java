package gflow.script.value;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.BlobId;
import gflow.job.JobSpec;
import gflow.job.Program;
import gflow.script.order.Order;
import gflow.script.order.OrdersTest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplatesTest {
  @Test
  void a_task_of_a_sweep_has_its_values_in_its_name_comment_and_files() throws BadInput {
    Order order =
        OrdersTest.order(
            OrdersTest.command("train", "--lr={lr}"),
            "--param=lr=0.1,a/b",
            "--name=run-{lr}",
            "--comment=try {lr}",
            "--output=out/{lr}.%j",
            "--error={other}");
    JobSpec spec = OrdersTest.draft(order).spec();

    JobSpec second = Templates.task(spec, 1);
    assertThat(second.name()).isEqualTo("run-a/b");
    assertThat(second.labels()).containsEntry("comment", "try a/b");
    assertThat(second.scene().output().out())
        .as("no other folder")
        .contains("/home/eva/out/a_b.%j");
    assertThat(second.scene().output().err()).contains("/home/eva/{other}");
    assertThat(second.program()).isEqualTo(new Program.Argv(List.of("train", "--lr=a/b")));
    assertThat(Templates.task(spec, 0).name()).isEqualTo("run-0.1");
    assertThat(spec.name()).as("of the array").isEqualTo("run-{lr}");
  }

  private static SequencedMap<String, String> parameters() {
    var map = new LinkedHashMap<String, String>();
    map.put("lr", "0.1");
    map.put("path", "$1\\{lr}");
    return map;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--lr={lr}|--lr=0.1",
        "{lr}{lr}|0.10.1",
        "{seed} {} {a b} ${x} ${lr}|{seed} {} {a b} ${x} $0.1",
        "{{lr}}|{0.1}",
        "{path}|$1\\{lr}",
        "plain|plain",
        "{lr|{lr",
      })
  void only_what_is_defined_is_replaced(String text, String result) {
    assertThat(Templates.apply(text, parameters())).isEqualTo(result);
  }

  @Test
  void words_shell_lines_and_arguments_of_scripts_are_templates() {
    var script = new BlobId("0".repeat(64));

    assertThat(Templates.apply(new Program.Argv(List.of("x", "{lr}")), parameters()))
        .isEqualTo(new Program.Argv(List.of("x", "0.1")));
    assertThat(Templates.apply(new Program.ShellLine("echo {lr} && y"), parameters()))
        .isEqualTo(new Program.ShellLine("echo 0.1 && y"));
    assertThat(Templates.apply(new Program.Script(script, List.of("{lr}")), parameters()))
        .isEqualTo(new Program.Script(script, List.of("0.1")));
  }
}
