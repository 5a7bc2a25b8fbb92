import static java.lang.ProcessBuilder.Redirect.PIPE;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes the program that runs without JDK and Maven, in target/gflow: bin, lib, jre, aot. Does only
 * what has changed. No file is overwritten in place, for a daemon may run from here.
 *
 * <p>The caches are made last, and everything they depend on is dated two seconds back: the
 * launcher takes a cache only if it is newer, also after a tar that knows only whole seconds.
 */
final class Pack {
  private static final String MODULES = "java.base,java.logging,java.naming,java.sql,jdk.net";
  private static final List<String> LINKS =
      List.of(
          "gflowd", "gbatch", "grun", "gmap", "gqueue", "gcancel", "ginfo", "gjob", "gctl",
          "gstats");

  /** Slurm's names are in a folder of their own, which never hides a real Slurm by itself. */
  private static final List<String> SLURMS_NAMES =
      List.of("sbatch", "squeue", "scancel", "sinfo", "scontrol", "sacct", "srun", "salloc");

  private static final String NATIVE = "org/sqlite/native/";

  /** What is hot in a storm of tasks is compiled sooner by a daemon that meets one early. */
  private static final String[] STORM = {"--wait", "--array", "1-500", "--output", "none", "true"};

  private final Path root;
  private final Path target;
  private final Path home;
  private final String version;
  private boolean changed;

  private Pack(Path root, String version) {
    this.root = root;
    this.target = root.resolve("target");
    this.home = target.resolve("gflow");
    this.version = version;
  }

  public static void main(String[] args) throws Exception {
    new Pack(Path.of(args[0]), args[1]).pack();
  }

  private void pack() throws Exception {
    for (String folder : List.of("bin", "slurm", "lib/native", "aot")) {
      Files.createDirectories(home.resolve(folder));
    }
    bin();
    libraries();
    runtime();
    train();
    release();
  }

  private void bin() throws IOException {
    var launcher = target.resolve("launcher");
    String text = Files.readString(root.resolve("gflow"));
    Files.writeString(launcher, text.replace("\nversion=\n", "\nversion=" + version + "\n"));
    changed |= replace(launcher, home.resolve("bin/gflow"));
    Files.setPosixFilePermissions(
        home.resolve("bin/gflow"), PosixFilePermissions.fromString("rwxr-xr-x"));
    link("bin", LINKS, "gflow");
    link("slurm", SLURMS_NAMES, "../bin/gflow");
    Files.createDirectories(home.resolve("python"));
    replace(root.resolve("python/gflow_worker.py"), home.resolve("python/gflow_worker.py"));
    for (String script : List.of("install.sh", "dist.sh", "demo.sh", "slurm-env.sh")) {
      replace(root.resolve("packaging").resolve(script), home.resolve("lib").resolve(script));
    }
  }

  private void link(String folder, List<String> names, String target) throws IOException {
    for (String name : names) {
      var path = home.resolve(folder).resolve(name);
      if (!Files.isSymbolicLink(path)) {
        Files.createSymbolicLink(path, Path.of(target));
      }
    }
  }

  private void libraries() throws IOException {
    var wanted = new TreeSet<String>(Set.of("gflow.jar"));
    changed |= replace(target.resolve("gflow.jar"), home.resolve("lib/gflow.jar"));
    for (Path jar : list(target.resolve("libraries"))) {
      String name = jar.getFileName().toString();
      wanted.add(name);
      if (name.startsWith("sqlite-jdbc-")) {
        sqlite(jar, home.resolve("lib").resolve(name));
      } else {
        changed |= replace(jar, home.resolve("lib").resolve(name));
      }
    }
    for (Path jar : list(home.resolve("lib"))) {
      if (jar.toString().endsWith(".jar") && !wanted.contains(jar.getFileName().toString())) {
        Files.delete(jar);
        changed = true;
      }
    }
  }

  /**
   * The driver's jar has the libraries of 20 platforms: ours becomes a file, the rest stays out.
   */
  private void sqlite(Path jar, Path copy) throws IOException {
    var slim = target.resolve("slim.jar");
    try (var from = new ZipFile(jar.toFile());
        var to = new ZipOutputStream(Files.newOutputStream(slim))) {
      for (ZipEntry entry : Collections.list(from.entries())) {
        try (InputStream content = from.getInputStream(entry)) {
          if (entry.getName().equals(NATIVE + platform() + "/libsqlitejdbc.so")) {
            var library = target.resolve("libsqlitejdbc.so");
            Files.copy(content, library, REPLACE_EXISTING);
            replace(library, home.resolve("lib/native/libsqlitejdbc.so"));
          } else if (!entry.getName().startsWith(NATIVE)) {
            var kept = new ZipEntry(entry.getName());
            kept.setTime(entry.getTime());
            to.putNextEntry(kept);
            content.transferTo(to);
          }
        }
      }
    }
    changed |= replace(slim, copy);
  }

  private static String platform() {
    String arch = System.getProperty("os.arch");
    return "Linux/" + (arch.equals("amd64") ? "x86_64" : arch);
  }

  private void runtime() throws IOException {
    var jre = home.resolve("jre");
    var mark = home.resolve("jre/made-from");
    var wanted = System.getProperty("java.vm.version") + " " + MODULES + "\n";
    if (Files.exists(mark) && Files.readString(mark).equals(wanted)) {
      return;
    }
    var fresh = target.resolve("jre");
    remove(fresh);
    int code =
        ToolProvider.findFirst("jlink")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "--add-modules=" + MODULES,
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--compress=zip-0",
                "--output=" + fresh);
    if (code != 0) {
      throw new IOException("jlink failed with code " + code);
    }
    Files.writeString(fresh.resolve("made-from"), wanted);
    Files.setLastModifiedTime(fresh.resolve("lib/modules"), back());
    if (Files.exists(jre)) {
      var old = target.resolve("jre.old");
      remove(old);
      Files.move(jre, old, ATOMIC_MOVE);
      remove(old);
    }
    Files.move(fresh, jre, ATOMIC_MOVE);
    changed = true;
  }

  /**
   * All caches come from one use of the program: a daemon, with commands at its door and from JVMs.
   * The launcher starts them, so that the flags are those of later.
   */
  private void train() throws IOException, InterruptedException {
    var aot = home.resolve("aot");
    var caches = List.of(aot.resolve("cli.aot"), aot.resolve("map.aot"), aot.resolve("gflowd.aot"));
    if (!changed && caches.stream().allMatch(Files::exists)) {
      return;
    }
    for (Path cache : caches) {
      Files.deleteIfExists(cache);
    }
    Files.deleteIfExists(trainingLog());
    var playground = Files.createTempDirectory("gflow-train");
    var daemon = training(program(playground, "gflowd"), "gflowd").redirectOutput(PIPE).start();
    try (var said = daemon.inputReader()) {
      if (!"ready".equals(said.readLine())) {
        throw new IOException("the daemon did not start; see " + trainingLog());
      }
      finish(program(playground, "gbatch", "--gpus", "1", "sleep", "1000").start());
      finish(program(playground, "gqueue").start());
      finish(program(playground, "gbatch", clientTraining()).start());
      finish(program(playground, "gbatch", mapTraining(playground)).start());
      finish(program(playground, "gbatch", STORM).start());
      finish(program(playground, "gflowd", "down", "--cancel").start());
      finish(daemon);
    } finally {
      daemon.destroyForcibly();
    }
    remove(playground);
    for (Path cache : caches) {
      Files.move(target.resolve(cache.getFileName()), cache, ATOMIC_MOVE);
    }
  }

  /** A job, so that it can run a step; by env, since a script would run as a copy. */
  private String[] clientTraining() {
    var cache = "GFLOW_TRAIN=" + target.resolve("cli.aot");
    var gflow = home.resolve("bin/gflow").toString();
    return new String[] {"--wait", "-n2", "env", cache, gflow, "train"};
  }

  /** In a job, where a map runs in place. */
  private String[] mapTraining(Path playground) {
    var cache = "GFLOW_TRAIN=" + target.resolve("map.aot");
    var gmap = home.resolve("bin/gmap").toString();
    var results = playground.resolve("map").toString();
    return new String[] {
      "--wait", "-n2", "env", cache, gmap, "--results", results, "--range", "1-20", "true"
    };
  }

  private ProcessBuilder program(Path playground, String name, String... words) {
    var line = new ArrayList<String>();
    line.add(home.resolve("bin").resolve(name).toString());
    line.addAll(List.of(words));
    var log = Redirect.appendTo(trainingLog().toFile());
    var builder = new ProcessBuilder(line).redirectOutput(log).redirectError(log);
    builder.environment().put("GFLOW_HOME", playground.toString());
    builder.environment().put("GFLOW_GPUS", "sim:4x24G");
    builder.environment().put("GFLOW_CPUS", "16");
    return builder;
  }

  private ProcessBuilder training(ProcessBuilder program, String role) {
    program.environment().put("GFLOW_TRAIN", target.resolve(role + ".aot").toString());
    return program;
  }

  private void finish(Process process) throws IOException, InterruptedException {
    if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("no AOT cache; see " + trainingLog());
    }
  }

  private Path trainingLog() {
    return target.resolve("train.log");
  }

  private void release() throws Exception {
    var digest = MessageDigest.getInstance("SHA-256");
    for (Path file : list(home.resolve("lib"))) {
      digest(digest, file);
    }
    digest(digest, home.resolve("bin/gflow"));
    digest(digest, home.resolve("jre/made-from"));
    String build = HexFormat.of().formatHex(digest.digest(), 0, 5);
    Files.writeString(home.resolve("release"), "VERSION=" + version + "\nBUILD=" + build + "\n");
  }

  private static void digest(MessageDigest digest, Path file) throws IOException {
    if (Files.isRegularFile(file)) {
      try (var in = new DigestInputStream(Files.newInputStream(file), digest)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  /** Whether the file was another one; a program that has the old one open keeps it. */
  private static boolean replace(Path from, Path to) throws IOException {
    if (Files.exists(to) && Files.mismatch(from, to) == -1) {
      return false;
    }
    var draft = to.resolveSibling(to.getFileName() + ".new");
    Files.copy(from, draft, REPLACE_EXISTING);
    Files.setLastModifiedTime(draft, back());
    Files.move(draft, to, ATOMIC_MOVE);
    return true;
  }

  private static FileTime back() {
    return FileTime.from(Instant.now().minusSeconds(2));
  }

  private static List<Path> list(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
