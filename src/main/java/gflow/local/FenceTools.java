package gflow.local;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The programs of util-linux that make a fence, by their whole paths: a job's PATH is its own. */
record FenceTools(String unsharing, String entering, String mount, String dropper) {
  static FenceTools found() {
    return new FenceTools(tool("unshare"), tool("nsenter"), tool("mount"), tool("setpriv"));
  }

  private static String tool(String name) {
    return Stream.of("/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/")
        .map(folder -> folder + name)
        .filter(path -> Files.isExecutable(Path.of(path)))
        .findFirst()
        .orElse("/usr/bin/" + name);
  }

  /** What is mounted outside later shall appear inside, and never the other way. */
  List<String> unshare() {
    return List.of(
        unsharing,
        "--user",
        "--map-current-user",
        "--keep-caps",
        "--mount",
        "--propagation",
        "slave");
  }

  List<String> enter(long pid) {
    return List.of(
        entering,
        "--user",
        "--mount",
        "--preserve-credentials",
        "--target",
        Long.toString(pid),
        "--");
  }

  /** Without the bounding set not even root gets them back by running a program. */
  List<String> dropping() {
    return List.of(dropper, "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--");
  }
}
