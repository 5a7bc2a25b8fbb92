package gflow.config;

import gflow.process.Cgroups;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

public record Config(
    Optional<String> gpus,
    Optional<String> cpus,
    Optional<String> memory,
    long foreignMemory,
    List<String> ignoreUsers,
    List<String> ignoreCommands,
    Optional<Duration> defaultTime,
    int defaultPriority,
    Duration grace,
    int maxWaiting,
    Cgroups.Mode kill,
    String launcher,
    Optional<Duration> keepLogs,
    Optional<Duration> keepHistory,
    long diskFloor) {
  public static final Config DEFAULT =
      new Config(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          500L << 20,
          List.of(),
          List.of(),
          Optional.empty(),
          10,
          Duration.ofSeconds(10),
          1_000_000,
          Cgroups.Mode.AUTO,
          "auto",
          Optional.of(Duration.ofDays(90)),
          Optional.of(Duration.ofDays(365)),
          1L << 30);
}
