package gflow.job;

import static gflow.job.Jobs.T0;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Dependencies.Dependency;
import gflow.job.Dependencies.Kind;
import gflow.job.Dependencies.Parent;
import gflow.job.Dependencies.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DependenciesTest {
  private static final Parent WAITING = new Parent.Waiting();
  private static final Parent STARTED = new Parent.Started(T0);
  private static final Parent WELL = new Parent.Over(true, T0);
  private static final Parent BADLY = new Parent.Over(false, T0);
  private static final Verdict MET = new Verdict.Met();

  @Test
  void nothing_to_wait_for_is_met() {
    assertThat(Dependencies.NONE.judge(d -> WAITING, T0)).isEqualTo(MET);
    assertThat(new Dependencies(true, List.of(), true).judge(d -> WAITING, T0)).isEqualTo(MET);
  }

  @Test
  void each_kind_waits_for_its_own() {
    Verdict open = new Verdict.Open(List.of(on(Kind.AFTEROK, 1)));
    assertThat(judge(Kind.AFTEROK, WAITING)).isEqualTo(open);
    assertThat(judge(Kind.AFTEROK, STARTED)).isEqualTo(open);
    assertThat(judge(Kind.AFTEROK, WELL)).isEqualTo(MET);
    assertThat(judge(Kind.AFTEROK, BADLY)).isEqualTo(new Verdict.Never(on(Kind.AFTEROK, 1)));

    assertThat(judge(Kind.AFTERNOTOK, BADLY)).isEqualTo(MET);
    assertThat(judge(Kind.AFTERNOTOK, WELL)).isEqualTo(new Verdict.Never(on(Kind.AFTERNOTOK, 1)));
    assertThat(judge(Kind.AFTERNOTOK, STARTED)).isInstanceOf(Verdict.Open.class);

    for (Kind kind : List.of(Kind.AFTERANY, Kind.SINGLETON)) {
      assertThat(judge(kind, WELL)).isEqualTo(MET);
      assertThat(judge(kind, BADLY)).isEqualTo(MET);
      assertThat(judge(kind, STARTED)).isInstanceOf(Verdict.Open.class);
      assertThat(judge(kind, WAITING)).isInstanceOf(Verdict.Open.class);
    }

    assertThat(judge(Kind.AFTER, WAITING)).isInstanceOf(Verdict.Open.class);
    for (Parent parent : List.of(STARTED, WELL, BADLY)) {
      assertThat(judge(Kind.AFTER, parent)).isEqualTo(MET);
    }
  }

  @Test
  void after_waits_for_its_delay_from_the_start() {
    var after = all(late(1, 60));
    for (Parent parent : List.of(STARTED, WELL, BADLY)) {
      assertThat(after.judge(d -> parent, T0.plusSeconds(59)))
          .isEqualTo(new Verdict.MetAt(T0.plusSeconds(60)));
      assertThat(after.judge(d -> parent, T0.plusSeconds(60))).isEqualTo(MET);
    }
  }

  @Test
  void all_wait_for_the_last_and_one_that_can_never_come_decides() {
    var both = all(on(Kind.AFTEROK, 1), on(Kind.AFTERANY, 2));
    assertThat(both.judge(d -> number(d) == 1 ? WELL : STARTED, T0))
        .isEqualTo(new Verdict.Open(List.of(on(Kind.AFTERANY, 2))));
    assertThat(both.judge(d -> number(d) == 1 ? BADLY : WAITING, T0))
        .isEqualTo(new Verdict.Never(on(Kind.AFTEROK, 1)));
    assertThat(both.judge(d -> WELL, T0)).isEqualTo(MET);
  }

  @Test
  void of_several_delays_all_wait_for_the_longest_and_any_for_the_shortest() {
    List<Dependency> delays = List.of(late(1, 30), late(2, 90), late(3, 60));
    assertThat(new Dependencies(false, delays, true).judge(d -> STARTED, T0))
        .isEqualTo(new Verdict.MetAt(T0.plusSeconds(90)));
    assertThat(new Dependencies(true, delays, true).judge(d -> STARTED, T0))
        .isEqualTo(new Verdict.MetAt(T0.plusSeconds(30)));
  }

  @Test
  void an_open_one_counts_more_than_a_delay() {
    var both = all(late(1, 30), on(Kind.AFTEROK, 2));
    assertThat(both.judge(d -> number(d) == 1 ? STARTED : WAITING, T0))
        .isEqualTo(new Verdict.Open(List.of(on(Kind.AFTEROK, 2))));
  }

  @Test
  void any_is_met_by_one_and_never_only_if_none_is_left() {
    var either = new Dependencies(true, List.of(on(Kind.AFTEROK, 1), on(Kind.AFTEROK, 2)), true);
    assertThat(either.judge(d -> number(d) == 1 ? BADLY : WELL, T0)).isEqualTo(MET);
    assertThat(either.judge(d -> number(d) == 1 ? BADLY : WAITING, T0))
        .isEqualTo(new Verdict.Open(List.of(on(Kind.AFTEROK, 2))));
    assertThat(either.judge(d -> BADLY, T0)).isEqualTo(new Verdict.Never(on(Kind.AFTEROK, 1)));
  }

  private static Verdict judge(Kind kind, Parent parent) {
    return all(on(kind, 1)).judge(d -> parent, T0);
  }

  private static Dependencies all(Dependency... list) {
    return new Dependencies(false, List.of(list), true);
  }

  private static Dependency on(Kind kind, long id) {
    return new Dependency(kind, Optional.of(new JobRef.ById(new JobId(id))), Duration.ZERO);
  }

  private static Dependency late(long id, long seconds) {
    return new Dependency(
        Kind.AFTER, Optional.of(new JobRef.ById(new JobId(id))), Duration.ofSeconds(seconds));
  }

  private static long number(Dependency d) {
    return d.parent().orElseThrow() instanceof JobRef.ById(JobId id) ? id.value() : 0;
  }
}
