package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs that run at the same time have no port in common. */
class PortsIT {
  private final Lab lab = new Lab("GFLOW_CPUS=8");

  @AfterEach
  void close() {
    lab.close();
  }

  @Test
  void a_port_is_kept_over_the_death_of_the_daemon_and_of_a_small_range_one_gets_none() {
    lab.configure("[ports]\nrange = \"23000-23001\"\n");
    lab.up();
    String line = "echo port=$GFLOW_PORT $PET_MASTER_PORT; until [ -e go ]; do sleep 0.02; done";
    long first = lab.submit("--wrap", line);
    lab.awaitState(first, "RUNNING");
    lab.killDaemon();
    lab.up();
    long second = lab.submit("--wrap", line);
    long third = lab.submit("--wrap", line);
    lab.awaitState(third, "RUNNING");
    lab.write(lab.work().resolve("go"), "");
    Stream.of(first, second, third).forEach(job -> lab.awaitState(job, "COMPLETED"));

    assertThat(Stream.of(first, second).map(job -> lab.log(job).strip()))
        .containsExactlyInAnyOrder("port=23000 23000", "port=23001 23001");
    assertThat(lab.log(third).strip()).isEqualTo("port=");
  }

  @Test
  void a_second_job_with_the_same_number_waits_and_says_for_whom() {
    lab.up();
    lab.write(
        lab.work().resolve("job.sh"),
        "#!/bin/bash\nexport MASTER_PORT=12355\nuntil [ -e go ]; do sleep 0.02; done\n");
    var said = lab.ok("gbatch", "job.sh");
    assertThat(said.err())
        .isEqualTo(
            "gbatch: job.sh line 2: port 12355 is fixed, so jobs that have it run one after the"
                + " other; write MASTER_PORT=$GFLOW_PORT\n");
    lab.awaitState(said.id(), "RUNNING");
    long second = lab.submit("job.sh");
    assertThat(lab.ok("gqueue", "-j", "" + second).out())
        .contains("(Resources: port 12355 is in use by job " + said.id() + ")");
    lab.write(lab.work().resolve("go"), "");
    List.of(said.id(), second).forEach(job -> lab.awaitState(job, "COMPLETED"));
  }
}
