package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.e2e.Lab.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Scripts written for Slurm: they call its commands, and jobs submit jobs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlurmNamesIT {
  private static final Path NAMES =
      Path.of(System.getProperty("gflow.home", "target/gflow")).toAbsolutePath().resolve("slurm");

  private Lab lab;

  @BeforeAll
  void start() {
    lab = new Lab("GFLOW_MEM=64G");
    lab.up();
  }

  @AfterAll
  void end() {
    lab.close();
  }

  /** Runs a line where the names are on PATH. */
  private Said slurm(String line) {
    return lab.bash("eval \"$(gflow slurm-env --force)\" && " + line);
  }

  private String ok(String line) {
    Said said = slurm(line);
    assertThat(said.code()).as(line + "\n" + said).isZero();
    return said.out();
  }

  private Path script(String name, String text) {
    return lab.write(lab.work().resolve(name), "#!/bin/bash\n" + text);
  }

  private String written(String name) {
    return Lab.read(lab.work().resolve(name));
  }

  @Test
  void the_names_are_for_who_asks_and_never_before_a_real_slurm_unasked() {
    Path real = lab.write(lab.work().resolve("real/sbatch"), "#!/bin/sh\necho real\n");
    assertThat(real.toFile().setExecutable(true)).isTrue();
    String with = "PATH=" + real.getParent() + ":$PATH; ";

    Said refused = lab.bash(with + "gflow slurm-env");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("a real Slurm is here (" + real + ")", "--force");
    assertThat(lab.bash(with + "eval \"$(gflow slurm-env --force)\"; command -v sbatch").out())
        .isEqualTo(NAMES + "/sbatch\n");
    assertThat(
            ok("eval \"$(gflow slurm-env --force)\"; echo \"$PATH\"").split(":slurm|/slurm:", -1))
        .as("once is enough")
        .hasSize(2);
  }

  @Test
  void inside_a_job_the_names_are_ours_also_beside_a_real_slurm() {
    long job =
        lab.submit("--wrap", "command -v sbatch; command -v srun; echo \"$SLURM_JOB_PARTITION\"");
    lab.awaitState(job, "COMPLETED");
    assertThat(lab.log(job)).isEqualTo(NAMES + "/sbatch\n" + NAMES + "/srun\nlocal\n");
  }

  @Test
  void output_goes_where_slurm_puts_it_and_is_found() {
    script("hello.sh", "echo hello $SLURM_JOB_NAME $1\n");
    long job = Long.parseLong(ok("sbatch --parsable hello.sh you").strip());
    ok("gjob wait " + job);
    assertThat(written("slurm-" + job + ".out")).isEqualTo("hello hello.sh you\n");
    assertThat(ok("gjob log " + job)).isEqualTo("hello hello.sh you\n");

    long array = Long.parseLong(ok("sbatch --parsable -a 3,5 hello.sh").strip());
    ok("gjob wait " + array);
    assertThat(written("slurm-" + array + "_5.out")).startsWith("hello hello.sh");
    assertThat(ok("gjob log " + array + "_3")).startsWith("hello hello.sh");

    long made = Long.parseLong(ok("sbatch --parsable -W -o new/%j/out hello.sh").strip());
    assertThat(written("new/" + made + "/out")).startsWith("hello hello.sh");
    Said refused = slurm("sbatch -o hello.sh/%j.out hello.sh");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).startsWith("sbatch: error: ").contains("hello.sh is no folder");
  }

  @Test
  void wait_returns_the_jobs_own_code() {
    assertThat(slurm("sbatch -W --wrap 'exit 3'").code()).isEqualTo(3);
    assertThat(slurm("sbatch -W --wrap 'kill -9 $$'").code()).isEqualTo(1);
    assertThat(slurm("echo '#!/bin/sh' | sbatch -W").code()).isZero();
  }

  @Test
  void a_job_submits_jobs_that_wait_for_each_other() {
    script(
        "chain.sh",
        """
        first=$(sbatch --parsable --wrap 'echo first >>order')
        second=$(sbatch --parsable -d afterok:$first --wrap 'echo second >>order')
        sbatch -W -d afterany:$second --wrap 'echo third >>order; exit 4'
        echo "code $?"
        """);
    Said said = slurm("sbatch -W chain.sh");
    assertThat(said.code()).as(said.toString()).isZero();
    assertThat(written("order")).isEqualTo("first\nsecond\nthird\n");
    long job = said.id();
    assertThat(written("slurm-" + job + ".out")).endsWith("code 4\n");
  }

  @Test
  void a_failed_dependency_leaves_the_job_waiting_as_in_slurm() {
    String failed = ok("sbatch --parsable -W --wrap 'exit 1' || true").strip();
    String waits = ok("sbatch --parsable -d afterok:" + failed + " --wrap true").strip();
    lab.await(
        "the reason",
        () -> ok("squeue -h -j " + waits + " -o %r").equals("DependencyNeverSatisfied\n"));
    ok("scancel " + waits);
    assertThat(ok("sacct -n -P -X -j " + waits + " -o State")).startsWith("CANCELLED");
  }

  @Test
  void one_task_of_an_array_is_cancelled() {
    String array = ok("sbatch --parsable -a 1-3%1 --wrap 'sleep 30'").strip();
    lab.await("the first", () -> ok("squeue -h -t R -j " + array).contains(array + "_1"));
    ok("scancel " + array + "_2");
    assertThat(ok("squeue -h -r -t PD -j " + array + " -o %i")).isEqualTo(array + "_3\n");
    ok("scancel " + array);
    lab.await("the end", () -> ok("squeue -h -j " + array).isEmpty());
    assertThat(ok("scontrol -o show job " + array + "_1")).contains("JobState=CANCELLED");
  }

  @Test
  void a_job_requeues_itself_and_runs_again_under_its_id() {
    script(
        "again.sh",
        """
        echo "run ${SLURM_RESTART_COUNT-none}"
        [ -n "${SLURM_RESTART_COUNT-}" ] || { scontrol requeue $SLURM_JOB_ID; sleep 30; }
        """);
    String job = ok("sbatch --parsable --open-mode=append again.sh").strip();
    ok("gjob wait " + job);
    assertThat(written("slurm-" + job + ".out"))
        .matches("run none\n.*CANCELLED AT .* DUE TO JOB REQUEUE.*\nrun 1\n");
    assertThat(ok("scontrol show job " + job)).contains("JobState=COMPLETED", "Restarts=1");

    String not = ok("sbatch --parsable --no-requeue --wrap 'sleep 30'").strip();
    lab.await("its start", () -> ok("squeue -h -j " + not + " -o %t").equals("R\n"));
    Said refused = slurm("scontrol requeue " + not);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err())
        .startsWith("Requested operation is presently disabled for job " + not);
    ok("scancel " + not);
  }

  @Test
  void a_requeued_job_may_be_held() {
    String job = ok("sbatch --parsable --wrap 'echo run; sleep 30'").strip();
    lab.await("its start", () -> !written("slurm-" + job + ".out").isEmpty());
    ok("scontrol requeuehold " + job);
    lab.await("held", () -> ok("squeue -h -j " + job + " -o '%t %r'").equals("PD JobHeldUser\n"));
    ok("scancel " + job);
  }

  @Test
  void a_signal_reaches_the_script_alone() {
    script(
        "caught.sh",
        """
        trap 'echo caught; exit 7' USR1
        sleep 60 & child=$!
        echo ready
        wait
        """);
    String job = ok("sbatch --parsable caught.sh").strip();
    lab.await("ready", () -> written("slurm-" + job + ".out").contains("ready"));
    ok("scancel -s USR1 " + job);
    ok("scancel -b -s USR1 " + job);
    assertThat(slurm("gjob wait " + job).code()).isEqualTo(7);
    assertThat(written("slurm-" + job + ".out")).isEqualTo("ready\ncaught\n");
    assertThat(ok("sacct -n -P -X -j " + job + " -o State,ExitCode")).isEqualTo("FAILED|7:0\n");
  }

  @Test
  void the_commands_work_without_the_door_too() {
    List<String> lines =
        List.of("squeue -h", "sinfo -h", "sacct -n", "scontrol ping", "scontrol show node");
    for (String line : lines) {
      assertThat(slurm("GFLOW_CLIENT=jvm " + line).code()).as(line).isZero();
    }
    assertThat(Files.isDirectory(NAMES)).isTrue();
  }
}
