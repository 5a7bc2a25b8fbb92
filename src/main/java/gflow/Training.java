package gflow;

import gflow.config.BadConfig;
import gflow.door.OwnCall;
import java.util.List;

/**
 * What the build runs once to fill the client's AOT cache: the usual commands, at a daemon that the
 * build has started, where a job called sleep runs; this is another job, so it can run a step. What
 * they do not use here is slow in every later call: a class outside the cache costs half a
 * millisecond, a feature of the JDK tens.
 */
final class Training {
  private static final List<List<String>> CALLS =
      List.of(
          List.of("gbatch", "--gpus", "4", "--time", "2:00:00", "--name", "all", "true"),
          List.of("gqueue"),
          List.of("gqueue", "--json"),
          List.of("ginfo"),
          List.of("gcancel", "--name", "sleep"),
          List.of("gjob", "wait", "@"),
          List.of("gqueue", "--all"));

  private Training() {}

  static int run() throws BadConfig {
    int worst = 0;
    for (List<String> words : CALLS) {
      int code = new Client(OwnCall.of(words), StandardOutput.of(0)).run();
      worst = Math.max(worst, code);
    }
    var step = OwnCall.of(List.of("srun", "-n2", "true"));
    return Math.max(worst, Main.runStep(step, StandardOutput.of(0)));
  }
}
