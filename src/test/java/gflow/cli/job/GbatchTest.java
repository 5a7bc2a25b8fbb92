package gflow.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import gflow.api.ApiRequest;
import gflow.cli.AtTheLab;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.script.order.Order;
import gflow.script.order.Order.Body;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class GbatchTest extends AtTheLab {
  private Order order(String line) {
    var result = run(line);
    assertThat(result.err).isEmpty();
    return gflow.orders().getLast();
  }

  @Test
  void the_first_word_that_is_no_option_begins_the_command() {
    Order order = order("gbatch --gpus 2 -t 1:00 python train.py --gpus 7 -x");

    assertThat(order.body())
        .isEqualTo(new Body.Command(List.of("python", "train.py", "--gpus", "7", "-x")));
    assertThat(order.options())
        .containsOnlyKeys("gpus", "time")
        .containsEntry("gpus", List.of("2"));
  }

  @Test
  void options_of_the_call_are_no_part_of_the_order() {
    assertThat(order("gbatch --json --wait --name x true").options()).containsOnlyKeys("name");
  }

  @Test
  void a_text_file_is_a_script_and_travels_as_it_is() throws IOException {
    var body = (Body.Script) order("gbatch ./train.sh --lr 0.1").body();

    assertThat(body.name()).isEqualTo(folder.resolve("train.sh").toString());
    assertThat(body.text()).isEqualTo(Files.readAllBytes(folder.resolve("train.sh")));
    assertThat(body.arguments()).containsExactly("--lr", "0.1");
  }

  @Test
  void a_binary_file_is_a_program() {
    assertThat(order("gbatch ./prog a").body()).isEqualTo(new Body.Command(List.of("./prog", "a")));
  }

  @Test
  void a_folder_that_is_named_like_a_program_does_not_hide_it() {
    assertThat(order("gbatch dir a").body()).isEqualTo(new Body.Command(List.of("dir", "a")));
  }

  @Test
  void a_script_on_path_may_be_named_without_its_folder() throws IOException {
    Path script = Files.createDirectories(folder.resolve("bin")).resolve("tool.sh");
    Files.writeString(script, "#!/bin/sh\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();

    assertThat(order("gbatch tool.sh").body()).isEqualTo(new Body.Command(List.of("tool.sh")));
  }

  /** In a folder that others may write, a file must not come before the program of that name. */
  @Test
  void a_file_here_does_not_hide_the_program_of_that_name() throws IOException {
    Path program = Files.createDirectories(folder.resolve("bin")).resolve("python3");
    Files.writeString(program, "#!/bin/sh\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Files.writeString(folder.resolve("python3"), "#!/bin/sh\nrm -rf ~\n");

    assertThat(order("gbatch python3 -c 1").body())
        .isEqualTo(new Body.Command(List.of("python3", "-c", "1")));
    assertThat(order("gbatch ./python3").body()).isInstanceOf(Body.Script.class);
    var typed = run("TTY=80 gbatch python3");
    assertThat(typed.err.toString())
        .contains("gbatch: runs the program python3 of PATH; write ./python3 for the file here");
    Files.delete(program);
    assertThat(order("gbatch python3").body()).isInstanceOf(Body.Script.class);
  }

  @Test
  void stdin_may_bring_the_script_with_and_without_a_dash() {
    for (String line : List.of("gbatch - a b < train.sh", "gbatch < train.sh")) {
      var body = (Body.Script) order(line).body();
      assertThat(new String(body.text(), UTF_8)).startsWith("#!/bin/bash");
      assertThat(body.arguments()).isEqualTo(line.contains("a b") ? List.of("a", "b") : List.of());
    }
  }

  @Test
  void a_wrapped_line_is_the_body_and_no_option() {
    Order order = order("gbatch --wrap 'a && b'");

    assertThat(order.body()).isEqualTo(new Body.Wrap("a && b"));
    assertThat(order.options()).isEmpty();
  }

  @Test
  void files_that_options_name_travel_under_the_path_as_written() {
    assertThat(order("gbatch --config ./exp.yaml true").files())
        .hasEntrySatisfying(
            "./exp.yaml", text -> assertThat(text).asString().isEqualTo("lr: 0.1\n"));
    assertThat(order("gbatch --param-file grid.csv true").files()).containsOnlyKeys("grid.csv");
  }

  @Test
  void files_that_directives_name_travel_too_unless_the_command_line_names_another() {
    assertThat(order("gbatch config.sh").files()).containsOnlyKeys("exp.yaml");
    assertThat(order("gbatch --config grid.csv config.sh").files()).containsOnlyKeys("grid.csv");
  }

  @Test
  void a_conda_environment_is_found_by_name_by_path_and_as_base() {
    Path root = folder.resolve("home/miniconda3");

    assertThat(prefix("gbatch --conda-env torch true")).isEqualTo(root.resolve("envs/torch"));
    assertThat(prefix("gbatch --conda-env base true")).isEqualTo(root);
    assertThat(prefix("gbatch --conda-env ./own true")).isEqualTo(folder.resolve("own"));
  }

  @Test
  void conda_roots_come_from_the_callers_environment_first() throws IOException {
    Path mine = Files.createDirectories(folder.resolve("forge/envs/torch/conda-meta")).getParent();

    assertThat(prefix("CONDA_EXE=HERE/forge/bin/conda gbatch --conda-env torch true"))
        .isEqualTo(mine);
    assertThat(prefix("MAMBA_ROOT_PREFIX=HERE/forge gbatch --conda-env torch true"))
        .isEqualTo(mine);
    assertThat(prefix("CONDA_PREFIX=HERE/forge/envs/other gbatch --conda-env torch true"))
        .isEqualTo(mine);
  }

  @Test
  void a_listed_conda_environment_is_found_wherever_it_is() throws IOException {
    Files.createDirectories(folder.resolve("far/away/jax/conda-meta"));
    Files.createDirectories(folder.resolve("home/.conda"));
    Files.writeString(
        folder.resolve("home/.conda/environments.txt"), folder.resolve("far/away/jax") + "\n");

    assertThat(prefix("gbatch --conda-env jax true")).isEqualTo(folder.resolve("far/away/jax"));
  }

  private Path prefix(String line) {
    return Path.of(order(line).options().get("conda-prefix").getFirst());
  }

  @Test
  void orders_from_a_file_are_submitted_together() {
    order("gbatch --from orders.jsonl");

    assertThat(gflow.orders())
        .extracting(Order::body)
        .containsExactly(new Body.Command(List.of("true")), new Body.Wrap("a && b"));
    assertThat(gflow.orders().getFirst().options()).containsEntry("gpus", List.of("1"));
  }

  @Test
  void a_dry_run_submits_nothing() {
    run("gbatch --dry-run true");

    assertThat(gflow.orders()).isEmpty();
  }

  @Test
  void waiting_returns_the_exit_code_of_the_job() {
    var result = run("gbatch --wait true");

    assertThat(gflow.asked).contains(new ApiRequest.Wait(new JobRef.ById(new JobId(100))));
    assertThat(result.exitCode).isEqualTo(7);
  }

  @Test
  void a_script_that_may_not_be_read_is_refused() {
    assumeFalse(Files.isReadable(folder.resolve("locked.sh")), "root reads everything");
    var result = run("gbatch locked.sh");

    assertThat(result.err).hasToString("gbatch: locked.sh: permission denied\n");
    assertThat(result.exitCode).isEqualTo(1);
  }
}
