package gflow.tasks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PmiTest {
  private final Pmi pmi = new Pmi("7.0", 2);

  private List<String> say(int rank, String line) {
    return pmi.hear(rank, line).lines().stream().map(l -> l.rank() + " " + l.text()).toList();
  }

  @Test
  void a_rank_is_told_who_it_is_as_mpich_asks() {
    assertThat(say(0, "cmd=init pmi_version=1 pmi_subversion=1"))
        .containsExactly("0 cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1");
    assertThat(say(0, "cmd=get_maxes"))
        .containsExactly("0 cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024");
    assertThat(say(0, "cmd=get_appnum")).containsExactly("0 cmd=appnum appnum=0");
    assertThat(say(0, "cmd=get_universe_size")).containsExactly("0 cmd=universe_size size=2");
    assertThat(say(0, "cmd=get_my_kvsname")).containsExactly("0 cmd=my_kvsname kvsname=kvs_7.0");
    assertThat(say(0, "cmd=get kvsname=kvs_7.0 key=PMI_process_mapping"))
        .containsExactly("0 cmd=get_result rc=0 msg=success value=(vector,(0,1,2))");
  }

  @Test
  void what_one_puts_the_other_gets() {
    assertThat(say(0, "cmd=put kvsname=kvs_7.0 key=P0 value=host#a=b$"))
        .containsExactly("0 cmd=put_result rc=0 msg=success");

    assertThat(say(1, "cmd=get kvsname=kvs_7.0 key=P0"))
        .containsExactly("1 cmd=get_result rc=0 msg=success value=host#a=b$");
    assertThat(say(1, "cmd=get kvsname=kvs_7.0 key=P9").getFirst()).contains("rc=-1");
    assertThat(say(1, "cmd=get kvsname=other key=P0").getFirst()).contains("rc=-1");
  }

  @Test
  void a_barrier_is_over_when_all_are_in_it_and_there_can_be_another() {
    for (int round = 0; round < 2; round++) {
      assertThat(say(1, "cmd=barrier_in")).isEmpty();
      assertThat(say(1, "cmd=barrier_in")).as("the same rank twice").isEmpty();
      assertThat(say(0, "cmd=barrier_in"))
          .containsExactly("0 cmd=barrier_out", "1 cmd=barrier_out");
    }
  }

  @Test
  void a_rank_is_inside_from_its_first_word_to_its_good_bye() {
    assertThat(pmi.isInside(1)).isFalse();
    say(1, "cmd=init pmi_version=1 pmi_subversion=1");
    assertThat(pmi.isInside(1)).isTrue();
    assertThat(say(1, "cmd=finalize")).containsExactly("1 cmd=finalize_ack");
    assertThat(pmi.isInside(1)).isFalse();
  }

  @Test
  void an_abort_ends_the_program_with_its_code() {
    assertThat(pmi.hear(0, "cmd=abort exitcode=7").abort()).hasValue(7);
    assertThat(pmi.hear(0, "cmd=abort exitcode=rubbish").abort()).hasValue(1);
    assertThat(pmi.hear(0, "cmd=abort exitcode=263").abort()).hasValue(7);
    assertThat(pmi.hear(0, "cmd=barrier_in").abort()).isEmpty();
  }

  @Test
  void another_version_is_refused_and_its_rank_is_no_rank() {
    assertThat(say(0, "cmd=init pmi_version=2 pmi_subversion=0").getFirst()).contains("rc=-1");
    assertThat(pmi.isInside(0)).isFalse();
  }

  @Test
  void what_is_too_long_or_too_much_is_refused() {
    String put = "cmd=put kvsname=kvs_7.0 key=";
    assertThat(say(0, put + "k".repeat(65) + " value=x").getFirst()).contains("rc=-1");
    assertThat(say(0, put + "k value=" + "x".repeat(1025)).getFirst()).contains("rc=-1");
    for (int i = 0; i < 70_000; i++) {
      say(0, put + i + " value=x");
    }
    assertThat(say(0, put + "more value=x").getFirst()).contains("too_many_keys");
    assertThat(say(0, put + "0 value=y").getFirst()).as("an old key").contains("rc=0");
  }

  @Test
  void processes_cannot_be_added_and_a_spawn_gets_one_answer() {
    assertThat(say(0, "mcmd=spawn")).isEmpty();
    assertThat(say(0, "nprocs=1")).isEmpty();
    assertThat(say(0, "execname=./a")).isEmpty();
    assertThat(say(0, "endcmd")).hasSize(1).first().asString().contains("rc=-1");
  }

  @Test
  void rubbish_is_answered_by_one_line_at_most_and_never_by_an_exception() {
    var random = new Random(3);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(80)];
      random.nextBytes(bytes);
      String text = new String(bytes, ISO_8859_1).replace('\n', '?');
      for (String line : List.of(text, "cmd=" + text, "cmd=put " + text)) {
        assertThat(say(0, line)).hasSizeLessThan(2).noneMatch(answer -> answer.contains("\n"));
      }
    }
    assertThat(say(0, "cmd=\u00ff\u0000evil kvs").getFirst())
        .isEqualTo("0 cmd=evil_result rc=-1 msg=unknown");
  }

  @Test
  void lines_are_cut_where_they_end_however_they_come() {
    var lines = new PmiLines();
    assertThat(lines.of("cmd=get_ma".getBytes(ISO_8859_1))).isEmpty();
    assertThat(lines.of("xes\ncmd=a\ncm".getBytes(ISO_8859_1)))
        .containsExactly("cmd=get_maxes", "cmd=a");
    assertThat(lines.isTooLong()).isFalse();
    lines.of(new byte[Pmi.MOST_LINE]);
    assertThat(lines.isTooLong()).isTrue();
  }
}
