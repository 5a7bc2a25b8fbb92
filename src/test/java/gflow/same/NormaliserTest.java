package gflow.same;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NormaliserTest {
  private static Answer answer(String out, List<String> jobs) {
    var seen = new Seen(Path.of("/tmp/x/case"), 0, out, "", jobs, new TreeMap<>());
    return new Normaliser(seen, "lab1").answer();
  }

  @Test
  void numbers_places_and_times_are_gone() {
    Answer answer =
        answer(
            "Submitted batch job 700004\n/tmp/x/case/slurm-700004.out on lab1, 700 at"
                + " 2026-11-15T10:00:00\nSLURM_TASK_PID=77\n",
            List.of("JobId=700004 JobName=a b JobState=COMPLETED Nice=0 WorkDir=/tmp/x/case"));
    assertThat(answer.text())
        .isEqualTo(
            """
            == code
            0
            == said
            Submitted batch job J1
            DIR/slurm-J1.out on HOST, 700 at TIME
            SLURM_TASK_PID=...
            == job J1
            JobName=a b
            JobState=COMPLETED
            """);
  }

  @Test
  void the_tasks_of_an_array_are_one_job() {
    Answer answer =
        answer(
            "700001 700002 700003\n",
            List.of(
                "JobId=700002 ArrayJobId=700001 ArrayTaskId=1 JobName=a",
                "JobId=700001 ArrayJobId=700001 ArrayTaskId=2 JobName=a",
                "JobId=700003 JobName=b"));
    assertThat(answer.sections().get("said")).containsExactly("J1 J1 J2");
    assertThat(answer.sections().keySet()).contains("job J1_1", "job J1_2", "job J2");
  }
}
