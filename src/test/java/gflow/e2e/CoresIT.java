package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs and steps that asked for CPUs stay on their own, whatever their programs try. */
class CoresIT {
  private final Lab lab = new Lab("GFLOW_CPUS=2");

  /** As {@code mdrun -pin on}: it wants the first CPUs of the machine, and waits for the other. */
  private static final String PINS =
      """
      taskset -p -c 0,1 $$ >/dev/null
      : >"here$1"
      until [ -e here0 ] && [ -e here1 ]; do sleep 0.02; done
      sed -n 's/Cpus_allowed_list:[^0-9]*//p' /proc/self/status
      """;

  @AfterEach
  void close() {
    lab.close();
  }

  private void up(String cpuset) {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one CPU only");
    lab.configure("[process]\ncpuset = \"" + cpuset + "\"\n");
    lab.write(lab.work().resolve("pins.sh"), PINS);
    lab.up();
  }

  /** What two jobs of one CPU each say that run side by side. */
  private List<String> two(String command) {
    var said = new ArrayList<String>();
    var jobs = new ArrayList<Long>();
    for (int i = 0; i < 2; i++) {
      jobs.add(lab.submit("-n1", "-c1", "--wrap", command.formatted(i)));
    }
    for (long job : jobs) {
      lab.awaitState(job, "COMPLETED");
      said.addAll(lab.log(job).lines().toList());
    }
    return said.stream().sorted().toList();
  }

  private void needCpusets() {
    long job = lab.submit("-n1", "-c1", "sleep", "100");
    lab.awaitState(job, "RUNNING");
    boolean there = lab.ok("gjob", "show", "" + job).out().contains("CpuBinding=cpuset");
    lab.ok("gcancel", "" + job);
    lab.awaitState(job, "CANCELLED");
    assumeTrue(there, "no cpusets here");
  }

  @Test
  void mpirun_does_not_leave_the_cpus_of_its_job() {
    up("off");
    assumeTrue(lab.bash("mpirun.openmpi --version").code() == 0, "no mpirun.openmpi here");
    lab.set("OMPI_ALLOW_RUN_AS_ROOT", "1");
    lab.set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    lab.write(lab.work().resolve("pins.sh"), PINS.replaceFirst("taskset.*", ""));

    assertThat(two("mpirun.openmpi -np 1 sh pins.sh %d")).containsExactly("0", "1");
  }

  @Test
  void a_job_cannot_leave_its_cpuset() {
    up("auto");
    needCpusets();

    assertThat(two("sh pins.sh %d")).containsExactly("0", "1");
    lab.await("cgroups to be gone", () -> lab.leftOutside().isEmpty());
  }

  @Test
  void nor_can_a_step_leave_its_part() {
    up("auto");
    needCpusets();
    String steps = "for i in 0 1; do srun --exact -n1 -c1 sh pins.sh $i & done; wait";
    long job = lab.submit("-n2", "-c1", "--wrap", steps);

    lab.awaitState(job, "COMPLETED");
    assertThat(lab.log(job).lines().sorted()).containsExactly("0", "1");
    lab.await("cgroups to be gone", () -> lab.leftOutside().isEmpty());
  }

  @Test
  void without_a_cpuset_it_can_and_gjob_show_says_so() {
    up("off");

    assertThat(two("sh pins.sh %d")).containsExactly("0-1", "0-1");
    assertThat(lab.ok("gjob", "show", "1").out()).contains("CpuBinding=affinity only");
  }
}
