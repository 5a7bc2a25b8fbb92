package gflow.daemon.core;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.JobId;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.TaskId;
import gflow.plan.Holding;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortsTest {
  private static final Ranges RANGE = Ranges.of(20_000, 20_004);
  private static final Ports ALL = new Ports(RANGE, _ -> true);

  private static Holding holding(long job, Integer... ports) {
    return new Holding(
        new TaskId(new JobId(job)),
        new Owner(1, 1, "eva"),
        Optional.empty(),
        Allocation.NONE,
        Instant.EPOCH,
        Optional.empty(),
        List.of(),
        List.of(ports));
  }

  @Test
  void a_port_is_given_by_number_and_not_if_somebody_has_it_or_listens_there() {
    assertThat(ALL.next(7, List.of())).isEqualTo(20_002);
    assertThat(ALL.next(7, List.of(holding(2, 20_002), holding(3, 12_355, 20_003))))
        .isEqualTo(20_004);
    assertThat(new Ports(RANGE, port -> port != 20_002).next(7, List.of())).isEqualTo(20_003);
    assertThat(ALL.next(Long.MAX_VALUE - 50, List.of())).isBetween(20_000, 20_004);
  }

  @Test
  void who_finds_all_of_them_taken_has_none() {
    assertThat(ALL.next(1, List.of(holding(2, 20_000, 20_001, 20_002, 20_003, 20_004)))).isZero();
    assertThat(new Ports(Ranges.of(20_000, 31_999), _ -> false).next(1, List.of())).isZero();
    assertThat(Ports.NONE.next(1, List.of())).isZero();
  }

  @Test
  void those_that_the_kernel_gives_out_are_left_to_it_if_there_are_others() {
    assertThat(Ports.outside(Ranges.of(20_000, 40_000), Ranges.of(32_768, 60_999)))
        .isEqualTo(Ranges.of(20_000, 32_767));
    assertThat(Ports.outside(Ranges.of(20_000, 20_009), Ranges.of(1024, 65_535)))
        .isEqualTo(Ranges.of(20_000, 20_009));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void no_port_is_given_twice_while_it_is_held(long seed) {
    var random = new Random(seed);
    var held = new ArrayList<Holding>();
    for (int job = 1; job < 500; job++) {
      int port = ALL.next(random.nextLong(1_000_000), held);
      if (port > 0) {
        held.add(holding(job, port));
      } else {
        held.remove(random.nextInt(held.size()));
      }
      assertThat(held.stream().flatMap(h -> h.ports().stream())).doesNotHaveDuplicates();
    }
  }
}
