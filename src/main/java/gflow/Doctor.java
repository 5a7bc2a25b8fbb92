package gflow;

import gflow.HealthChecks.Finding;
import gflow.HealthChecks.Level;
import gflow.api.Answer;
import gflow.api.ApiRequest.Status;
import gflow.api.DaemonStatus;
import gflow.api.HttpGflow;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Invocation;
import gflow.cli.frame.Output;
import gflow.cli.frame.Table;
import gflow.config.BadConfig;
import gflow.config.Config;
import gflow.config.ConfigFile;
import gflow.config.Folders;
import gflow.gpu.BadGpuSpec;
import gflow.gpu.Gpus;
import gflow.json.Json;
import gflow.json.RecordJson;
import gflow.process.Cgroups;
import gflow.process.WallClock;
import gflow.script.env.Environment;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.store.DataLock;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code gflow doctor}: looks at all that gflow stands on, with or without a daemon. */
final class Doctor {
  private static final Grammar GRAMMAR =
      new Grammar(
          "gflow doctor",
          "[--json]",
          "Looks at all that gflow stands on. What is not well has the line to type below it.",
          List.of(Opt.flag("json", "", "answer in JSON"), Opt.HELP),
          false);

  private static final List<Setting> FORBIDDING =
      List.of(
          new Setting("user.max_user_namespaces", "0", "15000"),
          new Setting("kernel.unprivileged_userns_clone", "0", "1"),
          new Setting("kernel.apparmor_restrict_unprivileged_userns", "1", "0"));

  private static final Pattern DRIVER = Pattern.compile("Kernel Module.*?(\\d+\\.[\\d.]+)");

  private final Invocation call;
  private final Output output;
  private final Environment variables;
  private final Folders folders;

  /** One by which a kernel keeps users from making namespaces, or lets them. */
  private record Setting(String name, String forbids, String lets) {}

  /** All that was seen; {@code ok} unless something is wrong. */
  record Health(boolean ok, List<Finding> checks) {}

  Doctor(Invocation call, Output output) throws BadConfig {
    this.call = call;
    this.output = output;
    variables = Environment.of(call.origin().environment());
    folders = Folders.of(variables.texts(), call.caller().uid());
  }

  int run(List<String> words) {
    try {
      Given given = GRAMMAR.parse(words);
      if (given.has("help")) {
        output.out(GRAMMAR.help());
        return 0;
      }
      ArgumentWords.none(given);
      List<Finding> findings = look();
      boolean well = findings.stream().noneMatch(f -> f.level() == Level.WRONG);
      if (given.has("json")) {
        Json.pretty(RecordJson.tree(new Health(well, findings)), output::out);
      } else {
        output.out(text(findings));
      }
      return well ? 0 : 1;
    } catch (BadInput e) {
      String name = GRAMMAR.command() + ": ";
      output.problem((e.line().startsWith(name) ? "" : name) + e.line());
      return 2;
    }
  }

  static String text(List<Finding> findings) {
    var table = new Table();
    for (Finding f : findings) {
      table.texts(f.check(), f.level().name().toLowerCase(Locale.ROOT), f.text());
      f.type().ifPresent(line -> table.texts("", "", "  " + line));
    }
    return table.text(false);
  }

  private List<Finding> look() {
    var problems = new ArrayList<String>();
    Config config = config(problems);
    Optional<String> driver = driver();
    var findings = new ArrayList<Finding>();
    findings.add(HealthChecks.driver(onBus(), driver));
    try (var probe = Gpus.open("nvml", variables.value("CUDA_VISIBLE_DEVICES"))) {
      int gpus = probe.devices().size();
      findings.add(HealthChecks.nvml(driver.isPresent(), gpus, probe.source()));
      findings.add(HealthChecks.mps(gpus, onPath("nvidia-cuda-mps-control")));
    } catch (BadGpuSpec e) {
      throw new IllegalStateException(e);
    }
    Answer<DaemonStatus> daemon = new HttpGflow(folders.socket()).ask(new Status());
    findings.add(HealthChecks.namespaces(lets()));
    findings.add(HealthChecks.cgroup(cgroup(daemon)));
    findings.add(
        HealthChecks.fence(
            daemon instanceof Answer.Ok<DaemonStatus>(DaemonStatus status)
                ? Optional.of(status.fence())
                : Optional.empty()));
    findings.add(
        HealthChecks.linger(
            Files.isDirectory(Path.of("/run/systemd/system")),
            call.caller().uid() == 0,
            Files.exists(Path.of("/var/lib/systemd/linger", call.caller().name()))));
    findings.add(disk(config));
    // 0, which is long ago, if there is none yet.
    var written = Instant.ofEpochMilli(folders.database().toFile().lastModified());
    findings.add(HealthChecks.clock(WallClock.isKept(), call.clock().now(), written));
    findings.add(HealthChecks.config(folders.configFile(), problems));
    findings.add(HealthChecks.daemon(daemon, DataLock.holder(folders.data()), Version.text()));
    return findings;
  }

  private Config config(List<String> problems) {
    try {
      return ConfigFile.read(folders.configFile());
    } catch (BadConfig e) {
      problems.addAll(e.problems());
      return ConfigFile.DEFAULT;
    }
  }

  private static Optional<String> driver() {
    Matcher version = DRIVER.matcher(read(Path.of("/proc/driver/nvidia/version")));
    return version.find() ? Optional.of(version.group(1)) : Optional.empty();
  }

  /** Display and compute devices (class 03) of NVIDIA. */
  private static boolean onBus() {
    try (Stream<Path> devices = Files.list(Path.of("/sys/bus/pci/devices"))) {
      return devices
          .filter(device -> read(device.resolve("vendor")).equals("0x10de"))
          .anyMatch(device -> read(device.resolve("class")).startsWith("0x03"));
    } catch (IOException e) {
      return false;
    }
  }

  private Optional<Path> onPath(String program) {
    return Stream.of(variables.value("PATH").orElse("").split(":", -1))
        .filter(folder -> folder.startsWith("/"))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Optional<String> lets() {
    return FORBIDDING.stream()
        .filter(s -> read(Path.of("/proc/sys", s.name().replace('.', '/'))).equals(s.forbids()))
        .map(s -> s.name() + "=" + s.lets())
        .findFirst();
  }

  /** A daemon knows; to find out means to make folders, so only where there is none. */
  private static String cgroup(Answer<DaemonStatus> daemon) {
    if (daemon instanceof Answer.Ok<DaemonStatus>(DaemonStatus status)) {
      return status.processes();
    }
    try (var cgroups = Cgroups.detect(Cgroups.Mode.AUTO)) {
      return cgroups.mode().toString().toLowerCase(Locale.ROOT);
    }
  }

  /** The home may not be there yet: then of the folder that it would be made in. */
  private Finding disk(Config config) {
    File there = folders.data().toFile();
    while (!there.exists()) {
      there = there.getParentFile();
    }
    long floor = config.disk().floor();
    return HealthChecks.disk(folders.data(), there.getUsableSpace(), floor, type(there.toPath()));
  }

  private static String type(Path folder) {
    try {
      return Files.getFileStore(folder).type();
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
