package gflow.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.WaitingHouse;
import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.Gflow.Control;
import gflow.cli.Commands;
import gflow.cli.frame.Invocation;
import gflow.cli.frame.Invocation.Clock;
import gflow.cli.frame.Invocation.Terminal;
import gflow.cli.frame.Output;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the fuzzer found in the whole daemon, by name. */
class FoundTest {
  @TempDir Path folder;

  /** Seed 77: a job id is positive, and the exception was the loop's. */
  @Test
  void a_limit_for_a_job_below_zero_is_refused_and_the_loop_lives() throws Exception {
    try (var house = new WaitingHouse(folder)) {
      var service = house.service();
      for (String subject : new String[] {"-2147483648", "0", "", "99999999999999999999", "٣"}) {
        assertThat(service.ask(new ApiRequest.Control(new Control.SetLimit(subject, 3))))
            .isEqualTo(
                Answer.refused(
                    "a limit is set for a job (42), user:NAME or project:NAME, not for "
                        + subject));
      }
      assertThat(service.ask(new ApiRequest.Status())).isInstanceOf(Answer.Ok.class);
    }
  }

  private static Transcript say(WaitingHouse house, Path folder, String... words) {
    var said = new Transcript();
    var call =
        new Invocation(
            words[0],
            List.of(words).subList(1, words.length),
            house.origin(folder.toString()),
            Terminal.NONE,
            InputStream::nullInputStream,
            new Clock(InstantSource.system(), ZoneOffset.UTC),
            Optional.empty());
    said.code = new Commands("x", Path.of("/bin/false")).run(call, house.service(), said);
    return said;
  }

  private static final class Transcript implements Output {
    final StringBuilder out = new StringBuilder();
    final StringBuilder err = new StringBuilder();
    int code;

    @Override
    public void out(String text) {
      out.append(text);
    }

    @Override
    public void err(String text) {
      err.append(text);
    }

    @Override
    public boolean flush() {
      return false;
    }
  }

  /** Seed 77: the microseconds of such a year have no number, and the store threw. */
  @Test
  void a_year_that_nobody_means_is_no_time_to_look_back_to() throws Exception {
    try (var house = new WaitingHouse(folder)) {
      for (String year : List.of("+999999999-01-01T00:00:00Z", "-999999999-12-31")) {
        Transcript said = say(house, folder, "gstats", "--since=" + year);
        assertThat(said.code).isEqualTo(2);
        assertThat(said.err).contains("time '" + year + "' is not understood; write 2026-11-01");
      }
    }
  }

  /** Seed 77: what was submitted before the refusal was never told. */
  @Test
  void of_several_jobs_to_redo_those_that_were_submitted_are_told() throws Exception {
    try (var house = new WaitingHouse(folder)) {
      say(house, folder, "gbatch", "true");
      Transcript said = say(house, folder, "gjob", "redo", "1", "99");
      assertThat(said.code).isEqualTo(1);
      assertThat(said.out).hasToString("Submitted batch job 2\n");
      assertThat(said.err).contains("there is no job 99");
    }
  }

  /** Seed 1: half a letter is in no path, and sbatch and srun looked for such a file. */
  @Test
  void a_program_whose_name_is_no_text_is_refused() throws Exception {
    try (var house = new WaitingHouse(folder)) {
      for (String command : List.of("gbatch", "sbatch", "grun", "srun")) {
        Transcript said = say(house, folder, command, "a\uDCFFb");
        assertThat(said.code).as(command).isNotZero();
        assertThat(said.err).contains("has bytes in it that are no UTF-8");
      }
    }
  }
}
