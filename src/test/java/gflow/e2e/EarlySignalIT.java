package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The signal before the time limit: to the script, to what it started, once, also after a crash.
 */
class EarlySignalIT {
  private static final String SCRIPT =
      """
      #!/bin/bash
      #SBATCH --time=60s
      #SBATCH --signal=WHICH@56
      trap 'echo script' USR1
      sh -c 'trap "echo child; exit 0" USR1; echo up; while :; do sleep 0.1; done' &
      child=$!
      while kill -0 $child; do wait $child; done 2>/dev/null
      echo ends
      """;

  private static long submit(Lab lab, String signal) {
    Path script =
        lab.write(lab.work().resolve(signal.charAt(0) + ".sh"), SCRIPT.replace("WHICH", signal));
    return lab.submit(script.toString());
  }

  @Test
  void the_script_or_all_but_the_script_get_it_once() {
    try (var lab = new Lab("GFLOW_CPUS=16")) {
      lab.configure("[defaults]\ngrace = \"1s\"\n");
      lab.up();
      long toScript = submit(lab, "B:USR1");
      long toOthers = submit(lab, "USR1");
      long command =
          lab.submit(
              "--time=60s",
              "--signal=USR1@56",
              "sh",
              "-c",
              "trap 'echo command; exit 3' USR1; while :; do sleep 0.1; done");
      lab.await("the script has it", () -> lab.log(toScript).contains("script"));
      lab.killDaemon();
      lab.up();

      lab.awaitState(toOthers, "COMPLETED");
      lab.awaitState(command, "FAILED");
      lab.ok("gcancel", Long.toString(toScript));
      lab.awaitState(toScript, "CANCELLED");

      assertThat(lab.log(toOthers)).contains("child\nends\n").doesNotContain("script");
      assertThat(lab.log(command)).containsOnlyOnce("command\n");
      assertThat(lab.log(toScript)).startsWith("up\nscript\n").doesNotContain("child");
      assertThat(lab.log(toScript)).containsOnlyOnce("script");
    }
  }
}
