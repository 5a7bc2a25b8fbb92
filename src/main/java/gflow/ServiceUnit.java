package gflow;

import gflow.cli.frame.Output;
import gflow.script.env.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A systemd user unit for the daemon. */
record ServiceUnit(Environment variables, Output output) {
  /**
   * {@code KillMode=process}: jobs are not the daemon's to take along. {@code Delegate}: jobs get
   * cgroups of their own beside that of the daemon, which sits in a leaf because a cgroup with
   * processes may have none below it. The daemon is started again as the guard of {@code gflowd up}
   * would: whatever it ended of, ever more slowly, but not where it was told to end (143: by a
   * signal, and it could not close in time) or where another one is there already (75).
   */
  static String text(Path launcher, String home) {
    String environment = home.isEmpty() ? "" : "Environment=\"GFLOW_HOME=" + quoted(home) + "\"\n";
    return """
    [Unit]
    Description=gflow, a job scheduler for the GPUs of this machine
    StartLimitIntervalSec=0

    [Service]
    ExecStart="%s" gflowd --foreground
    %sKillMode=process
    Delegate=yes
    DelegateSubgroup=gflow-daemon
    Restart=on-failure
    RestartSec=1
    RestartSteps=6
    RestartMaxDelaySec=60
    SuccessExitStatus=143
    RestartPreventExitStatus=75

    [Install]
    WantedBy=default.target
    """
        .formatted(quoted(launcher.toString()), environment);
  }

  /** A percent sign would start a specifier of systemd. */
  private static String quoted(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("%", "%%");
  }

  int install() {
    Path config =
        variables
            .value("XDG_CONFIG_HOME")
            .map(Path::of)
            .orElse(Path.of(variables.value("HOME").orElse("/"), ".config"));
    Path unit = config.resolve("systemd/user/gflowd.service");
    try {
      Files.createDirectories(unit.getParent());
      Files.writeString(unit, text(Self.launcher(), variables.value("GFLOW_HOME").orElse("")));
    } catch (IOException e) {
      output.problem("gflowd: cannot write " + unit + ": " + e.getMessage());
      return 1;
    }
    output.line("wrote " + unit);
    output.line("start it now and at each login:  systemctl --user enable --now gflowd");
    output.line("keep it after logout:            loginctl enable-linger");
    return 0;
  }
}
