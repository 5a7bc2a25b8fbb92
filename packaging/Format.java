import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Checks or repairs the format of all Java sources. Spotless and the like run the formatter inside
 * Maven's own JVM, which may be older than the formatter allows.
 */
final class Format {
  private static final List<String> CHECK = List.of("--dry-run", "--set-exit-if-changed");
  private static final List<String> WRITE = List.of("--replace");

  public static void main(String[] args) throws IOException, InterruptedException {
    var root = Path.of(args[0]);
    boolean check = args[1].equals("check");
    int code = format(root, check ? CHECK : WRITE);
    if (code != 0 && check) {
      System.err.println("the files above are not formatted; run: make fmt");
    }
    System.exit(code);
  }

  private static int format(Path root, List<String> mode) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    for (String part : List.of("api", "code", "file", "parser", "tree", "util")) {
      command.add("--add-exports=jdk.compiler/com.sun.tools.javac." + part + "=ALL-UNNAMED");
    }
    command.add("-jar");
    command.add(only(root.resolve("target/formatter")).toString());
    command.addAll(mode);
    command.addAll(sources(root));
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  private static Path only(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).findFirst().orElseThrow();
    }
  }

  private static List<String> sources(Path root) throws IOException {
    var sources = new ArrayList<String>();
    for (String folder : List.of("src", "packaging")) {
      try (Stream<Path> files = Files.walk(root.resolve(folder))) {
        files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(sources::add);
      }
    }
    return sources;
  }
}
