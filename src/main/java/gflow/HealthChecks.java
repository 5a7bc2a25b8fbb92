package gflow;

import gflow.api.Answer;
import gflow.api.DaemonStatus;
import gflow.cli.frame.Plural;
import gflow.script.value.Sizes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Judges what {@link Doctor} has seen: each thing is well, or there is a line to type. */
final class HealthChecks {
  /** Their locks and their syncs are not those of a disk, and what is committed may be lost. */
  private static final Set<String> FAR_AWAY =
      Set.of("nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "lustre", "gpfs", "ceph", "9p", "afs");

  private static final Duration SET_BACK = Duration.ofMinutes(1);

  private HealthChecks() {}

  enum Level {
    OK,
    WARNING,
    WRONG
  }

  /** {@code type}: the line that helps; empty where nothing has to be done. */
  record Finding(String check, Level level, String text, Optional<String> type) {}

  private static Finding ok(String check, String text) {
    return new Finding(check, Level.OK, text, Optional.empty());
  }

  private static Finding warning(String check, String text, String type) {
    return new Finding(check, Level.WARNING, text, Optional.of(type));
  }

  private static Finding wrong(String check, String text, String type) {
    return new Finding(check, Level.WRONG, text, Optional.of(type));
  }

  /** {@code onBus}: whether the PCI bus shows a GPU of NVIDIA's, whoever drives it. */
  static Finding driver(boolean onBus, Optional<String> version) {
    if (version.isPresent()) {
      return ok("driver", "NVIDIA " + version.get());
    }
    return onBus
        ? wrong("driver", "there is an NVIDIA GPU and no driver", "sudo modprobe nvidia")
        : ok("driver", "not needed, there is no NVIDIA GPU");
  }

  static Finding nvml(boolean driver, int gpus, String source) {
    if (gpus > 0) {
      return ok("nvml", Plural.of(gpus, "GPU") + " (" + source + ")");
    }
    return driver
        ? wrong("nvml", "it shows no GPU (" + source + ")", "nvidia-smi")
        : ok("nvml", "not needed without a driver");
  }

  static Finding mps(int gpus, Optional<Path> control) {
    if (control.isPresent()) {
      return ok("mps", control.get().toString());
    }
    return gpus == 0
        ? ok("mps", "not needed without GPUs")
        : warning(
            "mps",
            "no nvidia-cuda-mps-control: jobs on parts of one GPU take turns",
            "sudo apt install nvidia-cuda-mps   (Ubuntu: nvidia-compute-utils of the driver)");
  }

  /** {@code lets}: the kernel's setting that would let them, where another is in the way. */
  static Finding namespaces(Optional<String> lets) {
    return lets.map(
            setting ->
                warning(
                    "namespaces",
                    "users may make none: containers such as apptainer's do not start",
                    "sudo sysctl -w " + setting))
        .orElse(ok("namespaces", "users may make them"));
  }

  /** {@code way}: how jobs are kept together, as {@code gflowd status} has it. */
  static Finding cgroup(String way) {
    return way.equals("none")
        ? warning(
            "cgroup",
            "none is ours to use: memory is not limited, jobs are found by their marks",
            "gflowd service install && systemctl --user enable --now gflowd")
        : ok("cgroup", way);
  }

  /** {@code who}: is kept from the GPUs of others, as {@code gflowd status} has it. */
  static Finding fence(Optional<String> who) {
    String said = who.orElse("not tried without a daemon");
    return said.startsWith("none: ") && !said.endsWith("there are no GPUs")
        ? warning(
            "fence",
            said + "; jobs can reach the GPUs of others",
            "unshare --user --map-current-user --keep-caps --mount true")
        : ok("fence", said);
  }

  static Finding linger(boolean systemd, boolean root, boolean lingers) {
    if (!systemd || root || lingers) {
      return ok("linger", lingers ? "on" : "not needed here");
    }
    return warning(
        "linger", "systemd may end the daemon and its jobs at logout", "loginctl enable-linger");
  }

  static Finding disk(Path home, long free, long floor, String fileSystem) {
    String where = Sizes.rounded(free) + " free in " + home + " (" + fileSystem + ")";
    if (free < floor) {
      String line = "gctl prune --older-than 30d";
      return wrong("disk", where + ", nothing starts below " + Sizes.rounded(floor), line);
    }
    return FAR_AWAY.contains(fileSystem)
        ? warning("disk", where + ": it is on another machine", "export GFLOW_HOME=/LOCAL/FOLDER")
        : ok("disk", where);
  }

  /** {@code lastWrite}: of our database. */
  static Finding clock(boolean kept, Instant now, Instant lastWrite) {
    if (lastWrite.isAfter(now.plus(SET_BACK))) {
      String text = "it is " + now + ", and our database was written at " + lastWrite;
      return wrong("clock", text, "timedatectl set-ntp true");
    }
    return kept
        ? ok("clock", "kept right")
        : warning("clock", "nothing keeps it right", "timedatectl set-ntp true");
  }

  static Finding config(Path file, List<String> problems) {
    if (problems.isEmpty()) {
      return ok("config", file.toString());
    }
    String more = problems.size() == 1 ? "" : " (and " + (problems.size() - 1) + " more)";
    return wrong("config", problems.getFirst() + more, "${EDITOR:-vi} " + file);
  }

  /** {@code holder}: who has the data folder, whether it answers or not. */
  static Finding daemon(Answer<DaemonStatus> answer, OptionalLong holder, String ours) {
    return switch (answer) {
      case Answer.Ok<DaemonStatus>(DaemonStatus status) -> running(status, ours);
      case Answer.No<DaemonStatus>(Answer.Kind _, String line) ->
          holder.isPresent()
              ? wrong(
                  "daemon",
                  "pid " + holder.getAsLong() + " does not answer: " + line,
                  "kill " + holder.getAsLong() + " && gflowd up")
              : warning("daemon", "it does not run", "gflowd up");
    };
  }

  private static Finding running(DaemonStatus status, String ours) {
    String name = "gflowd " + status.version() + ", pid " + status.pid();
    if (!status.problems().isEmpty()) {
      return warning("daemon", name + ": " + status.problems().getFirst(), "gflowd status");
    }
    return status.version().equals(ours)
        ? ok("daemon", name)
        : warning("daemon", name + "; this program is " + ours, "gflowd restart");
  }
}
