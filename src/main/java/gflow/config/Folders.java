package gflow.config;

import gflow.job.BlobId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where the things of one daemon are. Nothing is created here. */
public record Folders(Path config, Path data, Path run, Path socket) {
  /** The kernel has no room for a longer path of a socket. */
  private static final int SOCKET_PATH = 107;

  /**
   * By the environment of the caller. GFLOW_HOME moves all of it; otherwise the XDG folders, which
   * count only if they are absolute, as their rules say. A GFLOW_HOME that is not would be another
   * one in each folder.
   */
  public static Folders of(Map<String, String> environment, int uid) throws BadConfig {
    String said = environment.getOrDefault("GFLOW_HOME", "");
    Optional<Path> home = absolute(environment, "GFLOW_HOME");
    if (home.isEmpty() && !said.isEmpty()) {
      throw new BadConfig(List.of("GFLOW_HOME is no absolute path: '" + said + "'"));
    }
    if (home.isPresent()) {
      return placed(home.get(), home.get(), uid);
    }
    Path user = absolute(environment, "HOME").orElse(Path.of("/"));
    Path config = absolute(environment, "XDG_CONFIG_HOME").orElse(user.resolve(".config"));
    Path data = absolute(environment, "XDG_DATA_HOME").orElse(user.resolve(".local/share"));
    return placed(config.resolve("gflow"), data.resolve("gflow"), uid);
  }

  private static Optional<Path> absolute(Map<String, String> environment, String name) {
    String value = environment.getOrDefault(name, "");
    return value.startsWith("/") ? Optional.of(Path.of(value).normalize()) : Optional.empty();
  }

  private static Folders placed(Path config, Path data, int uid) throws BadConfig {
    if (data.toString().contains("\n")) {
      throw new BadConfig(
          List.of(
              "the folder of gflow has a line end in its path: "
                  + data.toString().replace('\n', '?')));
    }
    // Not in XDG_RUNTIME_DIR: a cron job or a service has none, and must find the same daemon.
    Path run = data.resolve("run");
    Path socket = run.resolve("gflow.sock");
    if (!holdsSocket(socket)) {
      // Only the socket moves. Several homes may be too deep, so each has a folder of its own.
      String name = BlobId.of(data.toString().getBytes(StandardCharsets.UTF_8)).sha256();
      socket = Path.of("/tmp/gflow-" + uid, name.substring(0, 16), "gflow.sock");
    }
    return new Folders(config, data, run, socket);
  }

  /** Whether a socket can be there. */
  public static boolean holdsSocket(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length <= SOCKET_PATH;
  }

  public Path configFile() {
    return config.resolve("gflow.toml");
  }

  public Path logs() {
    return data.resolve("logs");
  }

  /** What runs now. */
  public Path jobs() {
    return data.resolve("jobs");
  }

  /** The daemon's own. */
  public Path log() {
    return data.resolve("gflowd.log");
  }

  public Path database() {
    return data.resolve("gflow.db");
  }

  /** Beside the database that it guards. */
  public Path lock() {
    return data.resolve("lock");
  }

  /** Where the shell launchers knock. */
  public Path door() {
    return run.resolve("door");
  }
}
