package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Recipients;
import gflow.local.Signalling.Member;
import gflow.process.ProcessId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignallingTest {
  private final List<Member> all = new ArrayList<>();

  /** Everything of a job is in the session of its wrapper, 1. */
  private SignallingTest script() {
    all.add(new Member(id(2), 1, 1, false, false, true));
    return this;
  }

  private SignallingTest beside(long pid, long group) {
    all.add(new Member(id(pid), group, 1, false, false, false));
    return this;
  }

  /** {@code srun} and its program, which has a worker, and {@code ranks} groups of its own. */
  private SignallingTest step(long pid) {
    all.add(new Member(id(pid), 1, 1, false, true, false));
    all.add(new Member(id(pid + 1), pid + 1, pid + 1, true, false, false));
    all.add(new Member(id(pid + 2), pid + 1, pid + 1, true, false, false));
    all.add(new Member(id(pid + 3), pid + 3, pid + 1, true, false, false));
    return this;
  }

  private static ProcessId id(long pid) {
    return new ProcessId(pid, 0);
  }

  private List<Long> of(Recipients to) {
    return Signalling.choose(all, to).stream().map(ProcessId::pid).toList();
  }

  @Test
  void a_program_of_a_step_gets_it_once_with_its_workers_and_without_groups_within_it() {
    script().beside(5, 1).step(10).step(20);

    assertThat(of(Recipients.STEPS)).containsExactly(11L, 12L, 21L, 22L);
    assertThat(of(Recipients.PROGRAMS)).containsExactly(11L, 12L, 21L, 22L);
    assertThat(of(Recipients.SCRIPT)).containsExactly(2L);
    assertThat(of(Recipients.ALL)).containsExactly(2L, 5L, 11L, 12L, 21L, 22L);
  }

  @Test
  void without_a_step_the_programs_are_what_the_script_started() {
    script().beside(5, 1).beside(6, 6);

    assertThat(of(Recipients.STEPS)).isEmpty();
    assertThat(of(Recipients.PROGRAMS)).containsExactly(5L);
    assertThat(of(Recipients.ALL)).containsExactly(2L, 5L);
  }

  @Test
  void a_step_at_a_terminal_shares_the_group_of_its_parent() {
    all.add(new Member(id(30), 30, 7, false, true, false));
    all.add(new Member(id(31), 30, 7, true, false, false));
    all.add(new Member(id(32), 32, 7, true, false, false));

    assertThat(of(Recipients.STEPS)).containsExactly(31L);
  }
}
