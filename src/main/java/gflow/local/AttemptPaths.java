package gflow.local;

import gflow.job.AttemptId;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Output;
import gflow.job.RequestedOptions;
import gflow.job.StepId;
import gflow.job.TaskId;
import gflow.script.value.FilePatterns;
import gflow.script.value.GpuLogSyntax;
import gflow.script.value.Templates;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Where the files of attempts and tasks are, and the folder with Slurm's names, if there is one.
 */
public record AttemptPaths(
    Path jobs, Path logs, Path temporary, String host, Optional<Path> slurmsNames) {
  public AttemptPaths(Path jobs, Path logs, Path temporary, String host) {
    this(jobs, logs, temporary, host, Optional.empty());
  }

  Path folder(AttemptId attempt) {
    return jobs.resolve(attempt.toString());
  }

  Path record(AttemptId attempt) {
    return folder(attempt).resolve("record");
  }

  /** Why it had to end, for those who run a part of it elsewhere, as on a terminal. */
  Path reason(AttemptId attempt) {
    return folder(attempt).resolve("why");
  }

  /** What the parent of a group says of its end; it finds this place beside the file of roles. */
  Path cause(AttemptId attempt) {
    return folder(attempt).resolve("cause");
  }

  Path script(AttemptId attempt) {
    return folder(attempt).resolve("script");
  }

  /** What the parent of a step writes when the program has ended. */
  Path record(StepId step) {
    return folder(step.attempt()).resolve("step-" + step.number());
  }

  /** Why the step had to end, for its parent to say. */
  Path reason(StepId step) {
    return folder(step.attempt()).resolve("step-" + step.number() + ".why");
  }

  /** What the shell of a one-task step runs. */
  Path script(StepId step) {
    return folder(step.attempt()).resolve("step-" + step.number() + ".sh");
  }

  Path tmp(AttemptId attempt) {
    return temporary.resolve(attempt.toString());
  }

  /** Where stdout of a task goes; empty = nowhere. */
  public Optional<Path> out(JobSpec spec, TaskId task) {
    if (!spec.writesLog()) {
      return file(Output::out, spec, task);
    }
    return Optional.of(
        spec.isArray()
            ? logs.resolve(task.job().toString())
                .resolve(spec.tasks().index(task.offset()) + ".log")
            : logs.resolve(task.job() + ".log"));
  }

  /** What the logs of a group's roles begin with, in a folder: {@code client.3.log} follows. */
  public String logsOfRoles(JobSpec spec, TaskId task) {
    String index = spec.isArray() ? spec.tasks().index(task.offset()) + "." : "";
    return logs.resolve(task.job().toString()) + "/" + index;
  }

  /** Where stderr goes, if not to the same place. */
  public Optional<Path> err(JobSpec spec, TaskId task) {
    return file(Output::err, spec, task);
  }

  /** Where what its GPUs do is written, if it wanted that. */
  public Optional<Path> gpuLog(JobSpec spec, TaskId task) {
    return Optional.ofNullable(spec.asked().options().get(RequestedOptions.GPU_LOG))
        .flatMap(text -> file(GpuLogSyntax.kept(text).file(), spec, task));
  }

  Optional<Path> in(JobSpec spec, TaskId task) {
    return file(Output::in, spec, task);
  }

  private Optional<Path> file(
      Function<Output, Optional<String>> which, JobSpec whole, TaskId task) {
    JobSpec spec = Templates.task(whole, task.offset());
    Optional<String> pattern = which.apply(spec.scene().output());
    return pattern.isPresent() && spec.isOfTheJob(pattern.get())
        ? file(pattern.get(), spec, task)
        : Optional.empty();
  }

  private Optional<Path> file(String pattern, JobSpec spec, TaskId task) {
    String path = FilePatterns.expand(pattern, values(spec, task));
    return path.equals("/dev/null")
        ? Optional.empty()
        : Optional.of(Path.of(spec.scene().folder()).resolve(path));
  }

  private FilePatterns.Values values(JobSpec spec, TaskId task) {
    return new FilePatterns.Values(
        task.number().value(),
        task.job().value(),
        spec.isArray() ? OptionalInt.of(spec.tasks().index(task.offset())) : OptionalInt.empty(),
        spec.name(),
        spec.owner().name(),
        host);
  }
}
