package gflow.script.order;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.JobSpec;
import gflow.job.Owner;
import gflow.job.RequestedOptions;
import gflow.script.Refusal;
import gflow.script.group.GroupFile;
import gflow.script.group.Role;
import gflow.script.value.BadInput;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupOrdersTest {
  private static final String MD =
      """
      gpus = 4
      time = "24h"

      [client]
      count = 32
      spread = true
      after = "server"
      retries = 3
      command = ["i-pi-py_driver", "-u"]
      [server]
      command = "i-pi input.xml"
      ready = "unix:{tmp}/ipi_driver"
      ends = "job"
      """;

  private static JobSpec spec(String text, String... options) throws BadInput {
    SortedMap<String, List<String>> said = new TreeMap<>();
    for (String option : options) {
      String[] parts = option.split("=", 2);
      said.put(parts[0], List.of(parts.length > 1 ? parts[1] : ""));
    }
    var origin = new Order.Origin(new Owner(7, 7, "ann"), "/w", new byte[0], 022, List.of());
    var body = new Order.Body.Group("/w/md.toml", text.getBytes(UTF_8));
    var order = new Order(said, body, origin, new TreeMap<>());
    return Orders.draft(order, Instant.EPOCH, ZoneOffset.UTC, Defaults.NONE).spec();
  }

  @Test
  void its_top_has_the_options_of_a_job_and_the_command_line_wins() throws BadInput {
    JobSpec spec = spec(MD, "time=10");
    assertThat(spec.name()).isEqualTo("md.toml");
    assertThat(spec.isGroup()).isTrue();
    assertThat(spec.request().gpus().count()).isEqualTo(4);
    assertThat(spec.terms().timeLimit().orElseThrow()).hasMinutes(10);
    assertThat(spec.asked().options()).containsEntry(RequestedOptions.GROUP, "32");
    assertThat(spec(MD.replace("gpus = 4", "gres = 'gpu:2'")).request().gpus().count())
        .isEqualTo(2);
    assertThat(spec("hold = false\n" + MD).terms().hold()).isFalse();
    assertThat(spec("hold = true\n" + MD).terms().hold()).isTrue();
    assertThat(spec("gpu-ids = [0, 2]\n" + MD.replace("gpus = 4", "")).request().gpus().count())
        .isEqualTo(2);
  }

  @Test
  void what_its_roles_need_is_asked_for_where_nobody_said_it() throws BadInput {
    String two = "[a]\ncommand = 'a'\ngpus = 2\n[b]\ncommand = 'b'\ngpus = 1\n";
    assertThat(spec(two).request().gpus().count()).isEqualTo(3);
    assertThat(spec(two).request().ntasks()).isEqualTo(2);
    assertThat(spec(two).request().bound()).isFalse();
    assertThat(spec(two + "cpus = 3\ncount = 2").request().cpus()).isEqualTo(7);
    assertThat(spec(two, "gpus=5").request().gpus().count()).isEqualTo(5);
  }

  @Test
  void a_port_that_a_role_waits_for_is_the_jobs() throws BadInput {
    assertThat(spec("[a]\ncommand = 'a'\nready = 'tcp:localhost:31415'").asked().ports())
        .containsExactly(31415);
    assertThat(spec("[a]\ncommand = 'a --master-port 29500'").asked().ports())
        .containsExactly(29500);
    assertThat(spec("[a]\ncommand = 'a'\nready = 'tcp:{port}'").asked().ports()).isEmpty();
  }

  @Test
  void roles_start_after_those_that_they_wait_for() throws BadInput {
    List<Role> roles = GroupFile.parse("md.toml", MD).roles();
    assertThat(roles).extracting(Role::name).containsExactly("server", "client");
    assertThat(roles.getFirst().runs().words()).containsExactly("/bin/sh", "-c", "i-pi input.xml");
    assertThat(roles.getLast().runs().words()).containsExactly("i-pi-py_driver", "-u");
  }

  @Test
  void ready_of_each_task_is_waited_for_where_it_names_the_task() throws BadInput {
    Role role =
        GroupFile.parse("a", "[a]\ncount = 3\ncommand = 'a'\nready = 'file:{tmp}/{task}'")
            .roles()
            .getFirst();
    assertThat(role.ready(new LinkedHashMap<>(Map.of("tmp", "/t"))))
        .extracting(condition -> condition.text())
        .containsExactly("file:/t/0", "file:/t/1", "file:/t/2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "gpus = 1|md.toml: there is no role; write a table as [server] with a command",
        "[a]|md.toml line 1: role a has no command; write command = \"…\"",
        "[a];command = ''|md.toml line 2: the command of role a is empty",
        "[a];command = 3|md.toml line 2: command is a text or a list of texts, was 3",
        "[a];comand = 'x'|md.toml line 2: there is no key 'comand' of a role; did you mean"
            + " command?",
        "[a];command = 'x';after = 'a'|md.toml line 3: role a waits for itself",
        "[a];command = 'x';after = 'sever';[server];command = 'y'|md.toml line 3: role a waits for"
            + " 'sever', which is no role; did you mean server?",
        "[a];command = 'x';after = 'b';[b];command = 'y';after = 'a'|md.toml line 3: roles wait for"
            + " each other: a → b → a",
        "[a];command = 'x';ends = 'job';[b];command = 'y';ends = 'job'|md.toml line 6: role a ends"
            + " the job already; leave out ends in one of them",
        "[a];command = 'x';ends = 'all'|md.toml line 3: ends is \"job\" or is left out, was"
            + " \"all\"",
        "[a];command = 'x';count = 'many'|md.toml line 3: count is a whole number from 1 to 65536,"
            + " was many",
        "[a];command = 'x';count = 0|md.toml line 3: count is a whole number from 1 to 65536, was"
            + " 0",
        "[a];command = 'x';spread = 1|md.toml line 3: spread is true or false, was 1",
        "[a];command = 'x';spread = true|md.toml line 1: role a is spread over the GPUs of the job,"
            + " which has none; write gpus = N",
        "[a];command = 'x';env = ['A']|md.toml line 3: env is a list as [\"NAME=value\"], was"
            + " \"A\"",
        "[a];command = 'x';ready = 'unx:/a'|md.toml line 3: ready: 'unx:/a' is nothing to wait for;"
            + " did you mean unix:?",
        "[a];command = 'x';stagger = 'soon'|md.toml line 3: stagger: stagger 'soon' is no pause up"
            + " to an hour; write 0.2s or 200ms",
        "[a];command = 'x';ready = 'tcp:7';[b];command = 'y';ready = 'tcp:7'|md.toml line 6: port 7"
            + " is taken already, by role a",
        "gpuss = 1;[a];command = 'x'|md.toml line 1: there is no option --gpuss; did you mean"
            + " --gpus? (gbatch --help lists them)",
        "gpus = '-1';[a];command = 'x'|md.toml line 1: gpus '-1' is not understood; write 2,"
            + " a100:2, or 1/4 for a part of one",
        "spread = true;[a];command = 'x'|md.toml line 1: spread is for a role: write it below the"
            + " name of one",
        "[a];command = x|md.toml line 2: a text must be quoted, as in \"x\"",
        "gpus = 1;[a];command = 'x';gpus = 2|md.toml line 2: role a needs 1 more GPUs than the job"
            + " has; raise gpus at the top",
        "ntasks = 1;[a];command = 'x';cpus = 2|md.toml line 2: role a needs 1 more CPUs than the"
            + " job has; raise cpus-per-task"
      })
  void what_is_wrong_names_its_line(String text, String line) {
    Refusal.of(() -> spec(text.replace(";", "\n")), line);
  }

  @Test
  void options_of_the_call_and_of_tasks_are_not_for_a_group() {
    Refusal.of(
        () -> spec("dry-run = true\n" + MD),
        "md.toml line 1: --dry-run belongs on the command line, not in a script");
    Refusal.of(
        () -> spec(MD, "spread"), "--spread is for a role of md.toml: write spread = true there");
  }
}
