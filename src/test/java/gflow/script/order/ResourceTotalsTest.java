package gflow.script.order;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.EarlySignal;
import gflow.job.JobSpec;
import gflow.job.Request;
import gflow.job.RequestedOptions;
import gflow.script.Refusal;
import gflow.script.value.BadInput;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceTotalsTest {
  private static JobSpec spec(String options) throws BadInput {
    Order order = OrdersTest.order(OrdersTest.command("x"), options.split(" "));
    return Orders.draft(order, Instant.EPOCH, ZoneOffset.UTC, Defaults.NONE).spec();
  }

  /** Tasks (- if nothing tells), CPUs, GPUs and MB: what a real Slurm 22.05 gave on one node. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-n4 --cpus-per-task=4 --gres=gpu:4 --gpus-per-task=1 --mem-per-cpu=1443|4 16 4 23088",
        "--ntasks-per-node=3|3 3 0 0",
        "-n2 --nodes=1 --tasks-per-node=2|2 2 0 0",
        "--gpus=2 --cpus-per-gpu=4 --mem-per-gpu=500|- 8 2 1000",
        "--gpus=2 --ntasks-per-gpu=2|4 4 2 0",
        "-n4 --ntasks-per-gpu=2|4 4 2 0",
        "-n3 --gpus=2 --cpus-per-gpu=4|3 8 2 0",
        "-n4 --gpus=1 --cpus-per-gpu=2|4 4 1 0",
        "--gpus=4 --gpus-per-task=2|2 2 4 0",
        "--gpus-per-node=h100:2|- 1 2 0",
        "--mincpus=4|- 4 0 0",
        "-n2 -c4 --mincpus=4|2 8 0 0",
        "--gpus=h100:2|- 1 2 0",
        "-N1 -c2|- 2 0 0",
        "-N1-3|- 1 0 0",
        "--cpus-per-gpu=2|- 1 0 0",
        "--mem=1500K|- 1 0 2",
        "--mem=2g|- 1 0 2048",
        "--mem=1GB|- 1 0 1024",
        "--mem-per-cpu=1G -c2 -n2|2 4 0 4096",
        "--mem-per-cpu=100 --gpus=1|- 1 1 100",
        "-c2 --ntasks-per-node=2 --gpus-per-task=1|2 4 2 0",
        "-n2 --gpus-per-task=a100:2|2 2 4 0",
        "-n4 --gpus-per-task=0|4 4 0 0",
      })
  void totals_are_those_of_a_real_slurm_on_one_node(String options, String totals) throws BadInput {
    JobSpec spec = spec(options);
    Request request = spec.request();
    OptionalInt tasks = spec.asked().ntasks();

    assertThat(
            "%s %d %d %d"
                .formatted(
                    tasks.isPresent() ? Integer.toString(tasks.getAsInt()) : "-",
                    request.cpusOnNode(),
                    request.gpus().count(),
                    request.memory() >> 20))
        .isEqualTo(totals);
  }

  @Test
  void how_it_was_asked_for_stays_known() throws BadInput {
    JobSpec spec =
        spec("--ntasks-per-node=4 -c 02 --gpus-per-task=h100:1 --mem-per-cpu=2G --exclusive");

    assertThat(spec.labels()).isEmpty();
    assertThat(spec.asked().options())
        .hasToString(
            "{cpus-per-task=2, exclusive=, gpus-per-task=h100:1, mem-per-cpu=2048, ntasks=4,"
                + " ntasks-per-node=4}");
    assertThat(spec.request().filter().type()).contains("h100");
    assertThat(spec.asked().wholeMachine()).isTrue();
    assertThat(spec("--exclusive=user").asked().wholeMachine()).isFalse();
    assertThat(spec("--hold").asked()).isEqualTo(RequestedOptions.NONE);
  }

  @Test
  void a_changed_number_replaces_how_it_was_asked_for() throws BadInput {
    JobSpec spec = spec("-n4 --gpus-per-task=1 --mem-per-cpu=2G");

    assertThat(spec.asked().withGpus(2).options())
        .hasToString("{gpus=2, mem-per-cpu=2048, ntasks=4}");
    assertThat(spec.asked().withMegabytes(512).options())
        .hasToString("{gpus-per-task=1, mem=512, ntasks=4}");
  }

  @ParameterizedTest
  @CsvSource({
    "USR1, 10, 60, false",
    "sigusr1@5, 10, 5, false",
    "B:TERM@120, 15, 120, true",
    "RB:12@0, 12, 0, true",
    "R:HUP, 1, 60, false"
  })
  void an_early_signal_is_kept(String text, int signal, int seconds, boolean script)
      throws BadInput {
    assertThat(spec("--signal=" + text).asked().signal())
        .contains(new EarlySignal(signal, Duration.ofSeconds(seconds), script));
  }

  @Test
  void what_one_machine_has_no_use_for_is_kept() throws BadInput {
    JobSpec spec =
        spec("-w n1 -x n2 -L matlab:1 --gpu-bind=single:1 --overlap -m block --hint=nomultithread");

    assertThat(spec.labels())
        .containsEntry("nodelist", "n1")
        .containsEntry("exclude", "n2")
        .containsEntry("licenses", "matlab:1")
        .containsEntry("gpu-bind", "single:1")
        .containsEntry("overlap", "")
        .containsEntry("distribution", "block")
        .containsEntry("hint", "nomultithread");
  }

  @Test
  void the_line_of_a_directive_is_told_with_what_is_wrong_in_it() throws BadInput {
    String text = "#!/bin/sh\n#SBATCH --mem=1G\n#SBATCH -t soon\n";
    Order order = OrdersTest.order(OrdersTest.script(text));
    Order twice = OrdersTest.order(OrdersTest.script(text), "--time=5", "--mem-per-cpu=x");

    Refusal.of(
        () -> Orders.drafts(List.of(order), Instant.EPOCH, ZoneOffset.UTC, Defaults.NONE),
        "train.sh line 3: time 'soon' is not understood; write minutes (30), 4:00:00, 1-12:00,"
            + " 90s, 2h or unlimited");
    Refusal.of(
        () -> Orders.drafts(List.of(twice), Instant.EPOCH, ZoneOffset.UTC, Defaults.NONE),
        "size 'x' is not understood; write 4G, 500M or a number of MB");
  }
}
