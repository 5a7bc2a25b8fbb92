package gflow.store;

import gflow.job.BlobId;
import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.EarlySignal;
import gflow.job.GpuFilter;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Attachment;
import gflow.job.JobSpec.Output;
import gflow.job.JobSpec.Scene;
import gflow.job.JobSpec.Tasks;
import gflow.job.JobSpec.Terms;
import gflow.job.Owner;
import gflow.job.Program;
import gflow.job.Request;
import gflow.job.RequestedOptions;
import gflow.job.Sweep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Specs as they were written before they had the number of their form: flat, and with nothing that
 * was empty, zero or false. How resources were asked for stood among the labels. Only read.
 */
record OldSpec(
    FirstProgram program,
    FirstRequest request,
    FirstTerms terms,
    Optional<FirstTasks> tasks,
    FirstScene scene,
    SortedMap<String, String> labels) {
  private static final List<String> ASKED =
      List.of(
          ("ntasks ntasks-per-node ntasks-per-gpu cpus-per-task mincpus cpus-per-gpu gpus gres"
                  + " gpus-per-node gpus-per-task mem mem-per-cpu mem-per-gpu exclusive overcommit"
                  + " open-mode")
              .split(" "));

  JobSpec spec(Owner owner, String name) {
    var left = new TreeMap<>(labels);
    return new JobSpec(
        owner,
        name,
        program.now(),
        request.now(),
        terms.now(),
        tasks.map(FirstTasks::now).orElse(Tasks.ONE),
        scene.now(),
        asked(left),
        left);
  }

  /** What is none of them is left. */
  private static RequestedOptions asked(SortedMap<String, String> labels) {
    var options = new TreeMap<>(labels);
    options.keySet().retainAll(ASKED);
    labels.keySet().removeAll(ASKED);
    if (labels.remove("speaks") != null) {
      options.put(RequestedOptions.SLURM, "");
    }
    return new RequestedOptions(
        options,
        Optional.ofNullable(labels.remove("signal")).map(OldSpec::signal),
        Optional.ofNullable(labels.remove("grace")).map(OldSpec::seconds));
  }

  /** {@code B:10@60}: the signal 10 for the script, 60 seconds before the end. */
  private static EarlySignal signal(String text) {
    boolean script = text.startsWith("B:");
    int at = text.indexOf('@');
    int signal = Integer.parseInt(text.substring(script ? 2 : 0, at));
    return new EarlySignal(signal, seconds(text.substring(at + 1)), script);
  }

  private static Duration seconds(String count) {
    return Duration.ofSeconds(Long.parseLong(count));
  }

  /** One of a line, a script and words. */
  record FirstProgram(
      Optional<String> shell, Optional<String> script, List<String> arguments, List<String> argv) {
    Program now() {
      if (shell.isPresent()) {
        return new Program.ShellLine(shell.get());
      }
      return script.isPresent()
          ? new Program.Script(new BlobId(script.get()), arguments)
          : new Program.Argv(argv);
    }
  }

  record FirstRequest(
      int ntasks,
      OptionalInt cpusPerTask,
      OptionalLong memory,
      OptionalInt gpus,
      OptionalInt gpuThousandths,
      OptionalLong gpuMemory,
      OptionalInt mostGpus,
      Optional<String> gpuType,
      List<Integer> onlyGpus,
      List<Integer> excludeGpus) {
    Request now() {
      var filter = new GpuFilter(gpuType, onlyGpus, excludeGpus);
      var request = new Request(ntasks, cpusPerTask.orElse(0), memory.orElse(0), wanted(), filter);
      return mostGpus.isPresent() ? request.upTo(mostGpus.getAsInt()) : request;
    }

    private GpuRequest wanted() {
      if (gpus.isPresent()) {
        return new GpuRequest.Whole(gpus.getAsInt());
      }
      if (gpuThousandths.isPresent()) {
        return GpuRequest.part(GpuPart.of(gpuThousandths.getAsInt(), 1000));
      }
      return gpuMemory.isPresent()
          ? GpuRequest.memory(gpuMemory.getAsLong())
          : new GpuRequest.None();
    }
  }

  record FirstTerms(
      OptionalInt priority,
      Optional<Duration> timeLimit,
      Optional<Instant> begin,
      Optional<Boolean> hold,
      Optional<FirstDependencies> dependencies,
      OptionalInt retries,
      Optional<Boolean> requeue) {
    Terms now() {
      return new Terms(
          priority.orElse(0),
          timeLimit,
          begin,
          hold.orElse(false),
          dependencies.map(FirstDependencies::now).orElse(Dependencies.NONE),
          retries.orElse(0),
          OldTerms.retryOn(requeue.orElse(false)));
    }
  }

  record FirstDependencies(
      Optional<Boolean> any, Optional<Boolean> cancelIfNever, List<FirstDependency> list) {
    Dependencies now() {
      return new Dependencies(
          any.orElse(false),
          list.stream().map(FirstDependency::now).toList(),
          cancelIfNever.orElse(false));
    }
  }

  record FirstDependency(
      Dependencies.Kind kind, Optional<String> parent, Optional<Duration> delay) {
    Dependency now() {
      return new Dependency(kind, parent.map(FirstDependency::ref), delay.orElse(Duration.ZERO));
    }

    private static JobRef ref(String text) {
      int bar = text.indexOf('_');
      String job = bar < 0 ? text : text.substring(0, bar);
      int index = bar < 0 ? 0 : Integer.parseInt(text.substring(bar + 1));
      if (job.equals("@")) {
        return bar < 0 ? new JobRef.Last() : new JobRef.LastTask(index);
      }
      var id = new JobId(Long.parseLong(job));
      return bar < 0 ? new JobRef.ById(id) : new JobRef.ArrayTask(id, index);
    }
  }

  record FirstTasks(
      Optional<String> array, List<FirstFactor> sweep, OptionalInt limit, OptionalInt base) {
    Tasks now() {
      var factors = sweep.stream().map(FirstFactor::now).toList();
      return new Tasks(
          array.map(ColumnTexts::ranges), new Sweep(factors), limit.orElse(0), base.orElse(0));
    }
  }

  /** The values row after row: there are as many in a row as there are names. */
  record FirstFactor(List<String> names, List<String> values) {
    Sweep.Factor now() {
      var rows = new ArrayList<List<String>>();
      for (int i = 0; i < values.size(); i += names.size()) {
        rows.add(values.subList(i, i + names.size()));
      }
      return new Sweep.Factor(names, rows);
    }
  }

  record FirstScene(
      String folder,
      String environment,
      OptionalInt umask,
      List<String> ulimits,
      Optional<String> conda,
      Optional<String> out,
      Optional<String> err,
      Optional<String> in,
      Optional<Boolean> append,
      Optional<String> configName,
      Optional<String> config) {
    Scene now() {
      return new Scene(
          folder,
          new BlobId(environment),
          umask.orElse(0),
          ulimits,
          conda,
          new Output(out, err, in, append.orElse(false)),
          config.map(content -> new Attachment(configName.orElse(""), new BlobId(content))));
    }
  }
}
