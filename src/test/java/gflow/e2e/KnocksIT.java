package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Many at the door at once, and the daemon dies while they stand there. */
class KnocksIT {
  private static final int KNOCKS = Integer.getInteger("knocks", 2000);
  private static final int LOOPS = 8;
  private static final int KILLS = 3;

  @Test
  void every_knock_is_answered_and_every_submission_is_made_once() throws Exception {
    try (var lab = new Lab()) {
      lab.write(
          lab.work().resolve("knock.sh"),
          """
          loop=$1 i=0
          while [ $i -lt $2 ]; do
            i=$((i + 1))
            if [ $((i % 2)) = 0 ]; then
              echo "$loop-$i $(gbatch --hold --name "$loop-$i" true 2>&1) $?"
            else
              code=3
              # 3 says that nobody was there, so that was no knock.
              while [ $code = 3 ]; do
                text=$(gqueue -h --limit 3 2>&1)
                code=$?
              done
              [ $code = 0 ] && echo "$loop-$i" || echo "$loop-$i $text $code"
            fi
          done >out.$loop
          """);
      lab.up();
      var loops = new ArrayList<Process>();
      for (int i = 0; i < LOOPS; i++) {
        loops.add(lab.start("bash", "knock.sh", "l" + i, Integer.toString(KNOCKS / LOOPS)));
      }
      for (int kill = 1; kill <= KILLS; kill++) {
        int answered = KNOCKS / (KILLS + 1) * kill;
        lab.await(answered + " answers", () -> answers(lab).size() >= answered);
        if (kill == 1) {
          // Nobody but its guard starts the next one, and nobody at the door may hang.
          lab.killOnlyDaemon();
        } else {
          lab.killDaemon();
          lab.up();
        }
      }
      for (Process loop : loops) {
        assertThat(loop.waitFor(60, TimeUnit.SECONDS)).isTrue();
      }
      check(lab);
    }
  }

  private static List<String> answers(Lab lab) {
    var all = new ArrayList<String>();
    for (int i = 0; i < LOOPS; i++) {
      Lab.read(lab.work().resolve("out.l" + i)).lines().forEach(all::add);
    }
    return all;
  }

  private static void check(Lab lab) throws IOException {
    List<String> answers = answers(lab);
    assertThat(answers).hasSize(KNOCKS);
    var ids = new TreeMap<String, Long>();
    for (String answer : answers) {
      assertThat(answer).matches("l\\d-\\d+( Submitted batch job \\d+ 0)?");
      String[] words = answer.split(" ", -1);
      if (words.length > 1) {
        assertThat(ids.put(words[0], Long.parseLong(words[4]))).isNull();
      }
    }
    assertThat(ids).hasSize(KNOCKS / 2);
    assertThat(ids.values()).doesNotHaveDuplicates();
    List<Map<String, Object>> jobs = lab.jobs();
    var found = new TreeMap<String, Long>();
    jobs.forEach(
        j -> found.put(String.valueOf(j.get("name")), ((Number) j.get("job_id")).longValue()));
    assertThat(found).isEqualTo(ids);
    assertThat(jobs).as("none was made twice").hasSize(ids.size());
  }
}
