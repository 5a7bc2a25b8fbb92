package gflow.script.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.script.Refusal;
import gflow.script.value.BadInput;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTest {
  private static final Partition SHORT =
      new Partition(
          Optional.of(Duration.ofHours(1)),
          Optional.of(Duration.ofMinutes(10)),
          Ranges.of(0, 1),
          OptionalInt.empty(),
          false);
  private static final Partition LONG =
      new Partition(
          Optional.of(Duration.ofDays(2)), Optional.empty(), Ranges.EMPTY, OptionalInt.of(3), true);
  private static final Defaults DEFINED =
      new Defaults(
          Optional.of(Duration.ofDays(7)),
          10,
          GpuPlacement.AUTO,
          new TreeMap<>(Map.of("short", SHORT, "long", LONG)));

  private static JobSpec spec(String options) throws BadInput {
    Order order = OrdersTest.order(OrdersTest.command("x"), options.split(" "));
    return Orders.draft(order, Instant.EPOCH, ZoneOffset.UTC, DEFINED).spec();
  }

  @ParameterizedTest
  @CsvSource({
    "-p short, short, PT10M",
    "-p short -t 5, short, PT5M",
    "-p short;long, short, PT10M",
    "-p short;long -t 120, long, PT2H",
    "-p local;short -t 300, local, PT5H",
    "--hold, long, PT48H",
    "-p local, local, PT168H",
    "-p long -t 1-0, long, PT24H",
  })
  void a_job_gets_its_partition_and_its_time(String options, String partition, Duration time)
      throws BadInput {
    JobSpec spec = spec(options.replace(';', ','));

    assertThat(spec.labels()).containsEntry("partition", partition);
    assertThat(spec.terms().timeLimit()).contains(time);
  }

  @Test
  void a_time_that_was_changed_is_within_the_partition_too() throws BadInput {
    JobSpec alone = spec("-p local -t 3-0");
    DEFINED.checkTime(alone);
    DEFINED.checkTime(spec("-p short -t 60"));
    JobSpec elsewhere = alone.withLabels(spec("-p short").labels());
    Refusal.of(
        () -> DEFINED.checkTime(elsewhere),
        "Need 3-00:00:00, partition short allows 01:00:00 (change --time or --partition)");
  }

  @Test
  void a_partition_that_is_none_is_refused_where_some_are_defined() throws BadInput {
    assertThatThrownBy(() -> spec("-p shrot"))
        .hasMessage("there is no partition 'shrot', there are long, short");
    assertThatThrownBy(() -> spec("-p short,shrot"))
        .hasMessage("there is no partition 'shrot', there are long, short");
  }

  @Test
  void its_gpus_are_those_of_the_partition() throws BadInput {
    assertThat(spec("-p short --gpus=1").request().filter().only()).containsExactly(0, 1);
    assertThat(spec("-p short --gpu-ids=1").request().filter().only()).containsExactly(1);
    assertThat(spec("-p short").request().filter().only()).isEmpty();
    assertThat(spec("-p long --gpus=3").request().filter().only()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-p short -t 2:00:00|Need 02:00:00, partition short allows 01:00:00"
            + " (change --time or --partition)",
        "-p short -t unlimited|Need no time limit, partition short allows 01:00:00"
            + " (change --time or --partition)",
        "-p short --gpus=3|Need 3 GPUs, partition short allows 2 (change --gpus or --partition)",
        "--gres=gpu:4|Need 4 GPUs, partition long allows 3 (change --gpus or --partition)",
        "-p short --gpu-ids=1-2|GPU 2 is not in partition short, which has 0-1"
            + " (change --gpu-ids or --partition)",
        "-p short --exclusive|--exclusive is the whole machine, partition short has only GPUs 0-1;"
            + " leave one of them out",
      })
  void more_than_the_partition_allows_is_refused(String options, String line) {
    Refusal.of(() -> spec(options), line);
  }
}
