package gflow.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.job.BlobId;
import gflow.job.Effect.Launch;
import gflow.job.GpuNaming;
import gflow.job.JobSpec;
import gflow.job.Program;
import gflow.job.TaskId;
import gflow.process.ProcessMark;
import gflow.process.Spawn;
import gflow.process.Stdio;
import gflow.script.env.Environment;
import gflow.script.env.JobEnvironment;
import gflow.script.value.Templates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns a launch into what the kernel is asked to start. */
final class Launching {
  private static final int KEPT_BLOBS = 64;
  private static final int LOG_MODE = 0600;
  private static final int OUTPUT_MODE = 0666;

  private final AttemptPaths places;
  private final Blobs blobs;
  private final Fence fence;
  private final Map<BlobId, byte[]> recent =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<BlobId, byte[]> eldest) {
          return size() > KEPT_BLOBS;
        }
      };

  /** Where scripts, environments and attached files are kept. */
  public interface Blobs {
    byte[] content(BlobId id) throws IOException;
  }

  Launching(AttemptPaths places, Blobs blobs, Fence fence) {
    this.places = places;
    this.blobs = blobs;
    this.fence = fence;
  }

  /** Makes the files in the attempt's folder; what is returned starts its wrapper. */
  Spawn prepare(
      Launch launch,
      ProcessMark mark,
      List<Path> joins,
      List<Integer> locks,
      String bootId,
      Optional<Path> mps)
      throws IOException {
    TaskId task = launch.attempt().task();
    JobSpec spec = Templates.task(launch.spec(), task.offset());
    Path folder = places.folder(launch.attempt());
    Environment environment = environment(launch, mark, folder, mps);
    WrapperShell shell = WrapperShell.of(environment);
    WrapperShell.Split split = shell.split(environment);
    boolean fenced = spec.fence().isPresent();
    var program = new ArrayList<String>();
    if (fenced) {
      program.addAll(fence.around(launch.allocation(), shell, folder.resolve("fence")));
    }
    if (!split.around().isEmpty()) {
      program.add("/usr/bin/env");
      program.addAll(split.around());
    }
    List<String> words = words(spec.program(), launch, environment);
    program.addAll(conda(spec, spec.isSpread() ? TaskParent.words(places, spec, words) : words));
    var setting =
        new Wrapper.Setting(
            places.record(launch.attempt()),
            bootId,
            spec.scene().umask(),
            joins,
            spec.scene().ulimits(),
            mark,
            fenced);
    return new Spawn(
        Wrapper.argv(shell, setting, program),
        split.through().block(),
        spec.scene().folder(),
        places
            .in(spec, task)
            .<Stdio>map(p -> new Stdio.Read(p.toString()))
            .orElse(new Stdio.Null()),
        output(spec, task, launch.attempt().number()),
        error(spec, task, launch.attempt().number()),
        locks);
  }

  private Stdio output(JobSpec spec, TaskId task, int attempt) throws IOException {
    Optional<Path> path = places.out(spec, task);
    if (path.isEmpty()) {
      return new Stdio.Null();
    }
    boolean own = spec.writesLog();
    if (own && !Files.isDirectory(path.get().getParent())) {
      Files.createDirectories(path.get().getParent());
    } else {
      OutputFolders.make(path.get().getParent(), spec.scene().umask());
    }
    boolean append = attempt > 1 || spec.scene().output().append();
    return new Stdio.Write(path.get().toString(), append, own ? LOG_MODE : outputMode(spec));
  }

  private Stdio error(JobSpec spec, TaskId task, int attempt) {
    Optional<Path> path = places.err(spec, task);
    if (path.isEmpty()) {
      boolean nowhere = spec.scene().output().err().filter("/dev/null"::equals).isPresent();
      return nowhere ? new Stdio.Null() : new Stdio.SameAsStdout();
    }
    OutputFolders.make(path.get().getParent(), spec.scene().umask());
    boolean append = attempt > 1 || spec.scene().output().append();
    return new Stdio.Write(path.get().toString(), append, outputMode(spec));
  }

  /** As if the submitter had made the file himself. */
  private static int outputMode(JobSpec spec) {
    return OUTPUT_MODE & ~spec.scene().umask();
  }

  /**
   * The program and its arguments; a script is run by the interpreter that its first line names.
   */
  private List<String> words(Program program, Launch launch, Environment environment)
      throws IOException {
    return switch (program) {
      case Program.Argv(List<String> words) -> words;
      case Program.ShellLine(String line) -> List.of("/bin/sh", "-c", line);
      case Program.Script(BlobId text, List<String> arguments) -> {
        byte[] content = content(text);
        Path copy = places.script(launch.attempt());
        Files.write(copy, content);
        if (launch.spec().isGroup()) {
          yield TaskParent.ofRoles(places, launch, copy);
        }
        List<String> reader = interpreter(content);
        var words = new ArrayList<String>();
        if (LoginShell.is(reader)) {
          words.addAll(loginShell(launch, environment));
        }
        words.addAll(reader);
        words.add(copy.toString());
        words.addAll(arguments);
        yield words;
      }
    };
  }

  private List<String> loginShell(Launch launch, Environment environment) throws IOException {
    var folders = new ArrayList<String>();
    fence.simulated().ifPresent(gpus -> folders.add(gpus + "/bin"));
    places.slurmsNames().ifPresent(names -> folders.add(names.toString()));
    launch.spec().scene().conda().ifPresent(prefix -> folders.add(prefix + "/bin"));
    if (folders.isEmpty()) {
      return List.of();
    }
    Path file = places.folder(launch.attempt()).resolve("login");
    Files.write(file, LoginShell.text(folders, environment));
    return List.of("/usr/bin/env", LoginShell.VARIABLE + "=" + file);
  }

  static List<String> interpreter(byte[] script) {
    String first =
        new String(script, 0, Math.min(script.length, 256), UTF_8).lines().findFirst().orElse("");
    if (!first.startsWith("#!") || first.substring(2).isBlank()) {
      return List.of(Files.isExecutable(Path.of("/bin/bash")) ? "/bin/bash" : "/bin/sh");
    }
    // The kernel's rule: the rest of the line is one argument.
    String[] parts = first.substring(2).strip().split("\\s+", 2);
    return List.of(parts);
  }

  /** Runs what an environment's packages want to be run before the program. */
  private static List<String> conda(JobSpec spec, List<String> words) {
    Optional<Path> scripts =
        spec.scene().conda().map(prefix -> Path.of(prefix, "etc", "conda", "activate.d"));
    if (scripts.isEmpty() || !Files.isDirectory(scripts.get())) {
      return words;
    }
    String text = "for f in \"$0\"/*.sh; do [ -r \"$f\" ] && . \"$f\"; done; unset f; exec \"$@\"";
    var all = new ArrayList<>(List.of("/bin/bash", "-c", text, scripts.get().toString()));
    all.addAll(words);
    return all;
  }

  private Environment environment(Launch launch, ProcessMark mark, Path folder, Optional<Path> mps)
      throws IOException {
    JobSpec spec = launch.spec();
    Optional<String> config = Optional.empty();
    if (spec.scene().config().isPresent()) {
      JobSpec.Attachment file = spec.scene().config().get();
      Path copy = folder.resolve("config").resolve(file.name());
      Files.createDirectories(copy.getParent());
      Files.write(copy, content(file.content()));
      config = Optional.of(copy.toString());
    }
    var place =
        new JobEnvironment.Place(
            places.host(),
            places.out(spec, launch.attempt().task()).map(Path::toString).orElse("/dev/null"),
            places.tmp(launch.attempt()).toString(),
            config,
            mark.value(),
            places.slurmsNames().map(Path::toString),
            fence.simulated().map(Path::toString));
    return JobEnvironment.of(
        Environment.of(content(spec.scene().environment())),
        start(launch, place, gpus(launch, mps)));
  }

  private JobEnvironment.Gpus gpus(Launch launch, Optional<Path> mps) {
    boolean fenced = launch.spec().fence().isPresent();
    boolean all = launch.allocation().gpus().size() == fence.gpus();
    return new JobEnvironment.Gpus(
        GpuNaming.of(fenced, mps.isPresent(), all), mps.map(Path::toString));
  }

  private static JobEnvironment.Start start(
      Launch launch, JobEnvironment.Place place, JobEnvironment.Gpus gpus) {
    return new JobEnvironment.Start(
        launch.spec(),
        launch.attempt().task(),
        launch.attempt().number(),
        launch.allocation(),
        launch.startedAt(),
        place,
        gpus);
  }

  private synchronized byte[] content(BlobId id) throws IOException {
    byte[] known = recent.get(id);
    if (known == null) {
      known = blobs.content(id);
      recent.put(id, known);
    }
    return known;
  }
}
