package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.e2e.Lab.Said;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever list somebody asks for, the daemon lives on; here with a fifth of its usual memory. */
class LongListsIT {
  private static final String ENDED_WELL_BUT_ONE =
      """
      INSERT INTO attempt (task_number, attempt, job_id, started_at, gpus, cpus, memory, state,
        exit_code, exit_signal, ended_at, note)
      WITH RECURSIVE k (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n < 119999)
      SELECT j.id + j.base + n, 1, j.id, j.submitted_at, '[]', '0', 0,
        iif(n = 777, 'FAILED', 'COMPLETED'), iif(n = 777, 7, 0), 0, j.submitted_at + n, ''
      FROM k, job j\
      """;

  private static final String NONE_DROPPED =
      """
      UPDATE job SET dropped = '', dropped_count = 0, dropped_at = 0, dropped_why = '',
        completed = 119999, failed = '777', worst_status = 7\
      """;

  private final Lab lab = new Lab("GFLOW_JAVA_OPTIONS=-Xmx64m -Xmn8m");
  private String daemon = "";

  @BeforeEach
  void start() {
    lab.up();
    daemon = daemon();
  }

  @AfterEach
  void still_there() {
    try (lab) {
      assertThat(daemon()).isEqualTo(daemon);
    }
  }

  private String daemon() {
    return lab.ok("gflowd", "status").lines().getFirst();
  }

  @Test
  void a_large_array_that_was_cancelled_while_it_waited_is_one_row() {
    lab.ok("gbatch", "-H", "-a", "0-699999%9", "true");
    lab.ok("gcancel", "1");

    assertThat(lab.ok("gqueue", "-s", "all", "-h", "-f", "JOBID,ST").out())
        .isEqualTo("1_[0-699999%9]    CA\n");
    assertThat(lab.ok("gqueue", "-s", "all", "--json").out())
        .contains("\"array_tasks\": \"0-699999%9\"");
    assertThat(lab.ok("gjob", "show", "1").out()).contains("ArrayTasks=0-699999%9");
    assertThat(lab.ok("gjob", "show", "1_5").out()).contains("ArrayTaskId=5 ");
    assertThat(lab.run("gjob", "wait", "1").code()).isEqualTo(130);
    assertThat(slurm("squeue -h -t all -o '%i %t'").out()).isEqualTo("1_[0-699999%9] CA\n");
    assertThat(slurm("sacct -n -P -o JobID").out()).isEqualTo("1_[0-699999%9]\n");
    assertThat(slurm("scontrol -o show job").out()).contains("ArrayTaskId=0-699999%9 ");
    assertThat(slurm("squeue -h -r -t all").err()).contains("more than 100000 rows: leave out -r");
  }

  @Test
  void of_a_large_array_that_ran_not_all_tasks_are_listed_at_once() throws SQLException {
    lab.ok("gbatch", "-H", "-a", "0-119999", "true");
    lab.ok("gcancel", "1");
    lab.ok("gflowd", "down");
    change(ENDED_WELL_BUT_ONE, NONE_DROPPED);
    lab.up();
    daemon = daemon();

    for (String list :
        List.of("gqueue -s all --json", "gjob show 1", "squeue -t all -j 1", "sacct -X")) {
      Said said = slurm(list);
      assertThat(said.out()).as(list).isEmpty();
      assertThat(said.err()).as(list).contains("narrow it by job, user, name, state or time");
      assertThat(said.code()).as(list).isPositive();
    }
    assertThat(lab.run("gjob", "wait", "1").code()).isEqualTo(7);
    assertThat(lab.ok("gqueue", "-s", "all", "-h", "--limit", "2000").lines()).hasSize(2000);
    assertThat(lab.ok("gqueue", "-s", "F", "-h", "-f", "JOBID").out()).isEqualTo("1_777\n");
    assertThat(lab.ok("gjob", "show", "1_5").out()).contains("State=COMPLETED");
  }

  /** With Slurm's names on the path. */
  private Said slurm(String line) {
    return lab.bash("eval \"$(gflow slurm-env --force)\"; " + line);
  }

  private void change(String... lines) throws SQLException {
    try (Connection store =
            DriverManager.getConnection("jdbc:sqlite:" + lab.home().resolve("gflow.db"));
        Statement statement = store.createStatement()) {
      for (String line : lines) {
        statement.execute(line);
      }
    }
  }
}
