package gflow.local;

import gflow.job.Effect.Launch;
import gflow.job.JobSpec;
import gflow.job.RequestedOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a job runs that consists of its tasks: {@code grun}, of which they are a step, so that their
 * GPUs, logs, codes and ends are those of any step.
 */
final class TaskParent {
  private TaskParent() {}

  static List<String> words(AttemptPaths places, JobSpec spec, List<String> program) {
    var words = new ArrayList<>(launcher(places));
    words.addAll(List.of("--spread", "--job-name=" + spec.name()));
    for (String name :
        List.of(
            RequestedOptions.NTASKS,
            RequestedOptions.CPUS_PER_TASK,
            RequestedOptions.STAGGER,
            RequestedOptions.KILL_ON_BAD_EXIT)) {
      Optional.ofNullable(spec.asked().options().get(name))
          .ifPresent(value -> words.add("--" + name + "=" + value));
    }
    file("output", spec, spec.scene().output().out()).ifPresent(words::add);
    file("error", spec, spec.scene().output().err()).ifPresent(words::add);
    words.add("--");
    words.addAll(program);
    return words;
  }

  /** A parent whose roles are steps; it is told where their logs go and what is private. */
  static List<String> ofRoles(AttemptPaths places, Launch launch, Path file) {
    var words = new ArrayList<>(launcher(places, "run-group"));
    words.add(file.toString());
    words.add(places.tmp(launch.attempt()).toString());
    words.add(places.logsOfRoles(launch.spec(), launch.attempt().task()));
    return words;
  }

  private static List<String> launcher(AttemptPaths places) {
    return launcher(places, "run");
  }

  /** By its path: a job's own PATH may lead elsewhere. */
  private static List<String> launcher(AttemptPaths places, String command) {
    return places
        .slurmsNames()
        .map(names -> List.of(names.resolveSibling("bin").resolve("gflow").toString(), command))
        .orElse(List.of("/usr/bin/env", "gflow", command));
  }

  private static Optional<String> file(String option, JobSpec spec, Optional<String> pattern) {
    return pattern.filter(file -> !spec.isOfTheJob(file)).map(file -> "--" + option + "=" + file);
  }
}
