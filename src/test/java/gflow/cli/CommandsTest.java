package gflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.ApiRequest;
import gflow.api.FakeGflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest extends AtTheLab {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "gflow.txt",
        "gbatch.txt",
        "gmap.txt",
        "grun.txt",
        "gqueue.txt",
        "gjob.txt",
        "gcancel.txt",
        "ginfo.txt",
        "gctl.txt",
        "gstats.txt",
        "gflowd-status.txt",
        "json.txt",
        "help.txt",
        "wrong-commands.txt",
        "sbatch.txt",
        "squeue.txt",
        "scancel.txt",
        "scontrol.txt",
        "sacct.txt",
        "sinfo.txt",
        "slurm-tools.txt"
      })
  void a_command_prints_what_it_printed_before(String golden) throws IOException {
    new Transcript(folder, lab::fresh).check(golden);
  }

  @Test
  void a_wrong_command_line_gets_one_line_and_changes_nothing() throws IOException {
    List<String> lines = Transcript.commands(Transcript.FOLDER.resolve("wrong-commands.txt"));
    assertThat(lines).hasSizeGreaterThanOrEqualTo(60).doesNotHaveDuplicates();
    for (String line : lines) {
      FakeGflow service = lab.fresh();
      var result = new Transcript(folder, () -> service).run(line, service);
      assertThat(result.exitCode).as(line).isIn(1, 2);
      assertThat(result.out).as(line).isEmpty();
      assertThat(result.err.toString().lines().toList()).as(line).hasSize(1);
      assertThat(result.err.toString()).as(line).matches("g\\w+( [\\w-]+)?: .+\n");
      // Some only the service can judge: those were orders, and it took none.
      assertThat(service.changes()).as(line).isEqualTo(service.asked(ApiRequest.Submit.class));
      assertThat(service.refused).as(line).containsAll(service.changes());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void every_command_is_completed(String shell) {
    var result = run("gflow completion " + shell);

    assertThat(result.exitCode).isZero();
    assertThat(result.out.toString()).contains("gbatch", "gqueue", "redo", "set-limit", "gpus");
  }

  @Test
  void a_map_never_runs_in_the_daemon() {
    var commands = new Commands("0.1.0", Path.of("/opt/gflow"));
    var transcript = new Transcript(folder, lab::fresh);

    assertThat(commands.fits(transcript.invocation("gmap echo ::: a"))).isFalse();
    assertThat(commands.fits(transcript.invocation("gqueue"))).isTrue();
  }
}
