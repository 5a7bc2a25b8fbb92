package gflow.daemon.core;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.daemon.core.Problem.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProblemsTest {
  private final List<String> heard = new ArrayList<>();
  private Instant now = Instant.EPOCH;
  private final Problems problems =
      new Problems(
          () -> now, (problem, open) -> heard.add((open ? "" : "over: ") + problem.line()));

  @Test
  void one_that_goes_on_is_as_old_as_it_is_and_one_that_comes_back_is_new() {
    problems.report(Kind.DISK, "", "5 G left", "make room");
    now = now.plusSeconds(10);
    problems.report(Kind.DISK, "", "4 G left", "make room");

    assertThat(problems.all())
        .containsExactly(new Problem(Kind.DISK, "", "4 G left", "make room", Instant.EPOCH));

    problems.solved(Kind.DISK, "");
    problems.report(Kind.DISK, "", "3 G left", "make room");
    assertThat(problems.all()).singleElement().extracting(Problem::since).isEqualTo(now);
  }

  @Test
  void what_changes_is_heard_once() {
    problems.report(Kind.GPU, "GPU 1", "it hangs", "");
    problems.report(Kind.GPU, "GPU 1", "it hangs", "");
    problems.set(Kind.GPU, "GPU 1", Optional.empty(), "");
    problems.solved(Kind.GPU, "GPU 1");

    assertThat(heard).containsExactly("it hangs", "over: it hangs");
  }

  @Test
  void of_a_kind_those_that_are_over_go() {
    problems.report(Kind.OUTPUT, "/a", "a", "");
    problems.report(Kind.OUTPUT, "/b", "b", "");
    problems.report(Kind.GPU, "/a", "gpu", "look");

    problems.keep(Kind.OUTPUT, List.of("/b"));

    assertThat(problems.lines()).containsExactly("gpu (look)", "b");
  }
}
