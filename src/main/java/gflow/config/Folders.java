package gflow.config;

import java.nio.file.Path;
import java.util.SortedMap;

public record Folders(Path config, Path data, Path run, Path socket) {
  public static Folders of(SortedMap<String, String> env, int uid) {
    String home = env.get("GFLOW_HOME");
    Path data;
    Path run;
    Path config;
    if (home != null && !home.isEmpty()) {
      data = Path.of(home);
      run = data.resolve("run");
      config = data.resolve("gflow.toml");
    } else {
      String user = env.getOrDefault("HOME", "/");
      data = Path.of(env.getOrDefault("XDG_DATA_HOME", user + "/.local/share"), "gflow");
      String runtime = env.get("XDG_RUNTIME_DIR");
      run = runtime == null ? data.resolve("run") : Path.of(runtime, "gflow");
      config = Path.of(env.getOrDefault("XDG_CONFIG_HOME", user + "/.config"), "gflow/gflow.toml");
    }
    return new Folders(config, data, run, run.resolve("gflowd.sock"));
  }

  public Path logs() {
    return data.resolve("logs");
  }

  public Path jobs() {
    return data.resolve("jobs");
  }

  public Path database() {
    return data.resolve("gflow.db");
  }

  public Path door() {
    return run.resolve("door");
  }
}
