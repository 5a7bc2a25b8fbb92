package gflow.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailuresTest {
  private final Failures failures = new Failures();

  @Test
  void those_that_ended_alike_share_a_line() {
    for (int task : new int[] {0, 2, 3, 5}) {
      failures.add(task, new Failures.End(3, false, false));
    }
    failures.add(1, new Failures.End(137, true, false));

    assertThat(failures.lines())
        .containsExactly("tasks 0,2-3,5: Exited with exit code 3", "task 1: Killed");
    assertThat(failures.lines()).as("each is told once").isEmpty();
  }

  @Test
  void a_code_like_a_signals_is_not_one() {
    failures.add(0, new Failures.End(143, false, false));
    failures.add(1, new Failures.End(143, true, false));
    failures.add(2, new Failures.End(139, true, true));
    failures.add(3, new Failures.End(128 + 40, true, false));

    assertThat(failures.lines())
        .containsExactly(
            "task 0: Exited with exit code 143",
            "task 1: Terminated",
            "task 2: Segmentation fault (core dumped)",
            "task 3: Real-time signal 6");
  }
}
