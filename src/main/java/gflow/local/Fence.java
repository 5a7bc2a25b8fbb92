package gflow.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.job.Allocation;
import gflow.job.GpuId;
import gflow.process.OwnFiles;
import gflow.process.Pause;
import gflow.process.Proc;
import gflow.process.ProcessId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Keeps the GPUs that a job does not have out of its reach: a user and mount namespace of its own,
 * without root, in which /dev/null lies over their device files. The wrapper stays outside, so the
 * record, marks, locks and cgroups are as ever; it makes the namespace with the program, and who
 * joins the job later enters that one. The capabilities that the mounts need are dropped before the
 * program runs.
 */
public final class Fence {
  /** What the shell inside does: all mounts at once, then the wrapper hears that they are there. */
  private static final String TEXT =
      """
      "$1" -a -T "$2" || exit
      kill -URG "$PPID"
      shift 2
      exec "$@"
      """;

  /** What lies over the device files of others. */
  private static final Path NOTHING = Path.of("/dev/null");

  private static final String FROM_OUTSIDE =
      ", and you are behind the fence of another job; come from outside";
  private static final long PATIENCE_NANOS = 5_000_000_000L;

  private final Places places;
  private final FenceTools tools = FenceTools.found();
  private final FutureTask<Optional<String>> probe;

  /**
   * The device files of all GPUs, and which of them are whose; the folder of simulated ones; and a
   * folder for what is bound over others' files.
   */
  public record Places(
      List<Path> files, SortedMap<GpuId, Path> own, Optional<Path> simulated, Path folder) {
    public Places {
      files = List.copyOf(files);
    }
  }

  /** One that starts to find out at once whether it would hold; nobody has to wait for that. */
  public Fence(Places places) {
    this.places = places;
    probe = new FutureTask<>(() -> new FenceProbe(this, tools, places).problem());
    Thread.ofVirtual().name("fence-probe").start(probe);
  }

  /** Of a machine without GPUs. */
  static Fence none() {
    return new Fence(new Places(List.of(), new TreeMap<>(), Optional.empty(), Path.of("/nowhere")));
  }

  /** How many GPUs there are that could be hidden. */
  public int gpus() {
    return places.files().size();
  }

  public Optional<Path> simulated() {
    return places.simulated();
  }

  /** Why no job can be fenced here; empty if it can. The first to ask may wait for the probe. */
  public Optional<String> problem() {
    try {
      return probe.get();
    } catch (ExecutionException e) {
      return Optional.of(String.valueOf(e.getCause().getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }

  /** Whether the probe is over. */
  public boolean isTried() {
    return probe.isDone();
  }

  /** The words that go before a program, which then sees only what the allocation has. */
  List<String> around(Allocation allocation, WrapperShell shell, Path table) throws IOException {
    Optional<String> problem = problem();
    if (problem.isPresent()) {
      throw new IOException("its fence cannot be made: " + problem.get());
    }
    var open = allocation.gpus().stream().map(grant -> places.own().get(grant.gpu())).toList();
    return around(places.files().stream().filter(f -> !open.contains(f)).toList(), shell, table);
  }

  List<String> around(List<Path> covered, WrapperShell shell, Path table) throws IOException {
    var lines = new StringBuilder();
    covered.forEach(file -> lines.append(line(NOTHING, file)));
    Path ssh = sshCopy();
    if (Files.isDirectory(ssh)) {
      lines.append(line(ssh, FenceProbe.SSH_CONFIG));
    }
    OwnFiles.write(table, lines.toString().getBytes(UTF_8));
    var words = new ArrayList<>(tools.unshare());
    words.addAll(shell.words());
    words.addAll(List.of("-c", TEXT, "gflow", tools.mount(), table.toString()));
    words.addAll(tools.dropping());
    // What cannot be run is said as outside, by the same shell.
    words.addAll(shell.words());
    words.addAll(List.of("-c", "exec \"$@\"", "gflow"));
    return words;
  }

  Path sshCopy() {
    return places.folder().resolve("ssh_config.d");
  }

  /** As fstab has it. */
  private static String line(Path from, Path onto) {
    return escaped(from) + " " + escaped(onto) + " none bind 0 0\n";
  }

  private static String escaped(Path path) {
    return path.toString()
        .replace("\\", "\\134")
        .replace(" ", "\\040")
        .replace("\t", "\\011")
        .replace("\n", "\\012");
  }

  // ---- those who come later ----

  /**
   * The words by which a process gets where the program of this wrapper is; none if it is there
   * already. A wrapper that has just begun is given the time to get so far.
   */
  List<String> entering(ProcessId wrapper, long caller) throws FencedOff {
    long end = System.nanoTime() + PATIENCE_NANOS;
    Optional<Long> inside = inside(wrapper);
    while (inside.isEmpty() && wrapper.alive() && System.nanoTime() < end) {
      Pause.millis(1);
      inside = inside(wrapper);
    }
    if (inside.isEmpty()) {
      throw new FencedOff("nobody is behind its fence yet; try again");
    }
    long pid = inside.get();
    if (namespace(caller, "mnt").equals(namespace(pid, "mnt"))) {
      return List.of();
    }
    if (!namespace(caller, "user").equals(namespace(Proc.self(), "user"))) {
      throw new FencedOff("it is fenced" + FROM_OUTSIDE);
    }
    var words = new ArrayList<>(tools.enter(pid));
    words.addAll(tools.dropping());
    return words;
  }

  /** The same for a job that is not fenced: GPUs that are hidden from the caller stay so. */
  List<String> entering(long caller) throws FencedOff {
    if (places.files().stream().anyMatch(file -> isCovered(file, caller))) {
      throw new FencedOff("it is not fenced" + FROM_OUTSIDE);
    }
    return List.of();
  }

  private static boolean isCovered(Path file, long caller) {
    try {
      return Files.isSameFile(Path.of("/proc/" + caller + "/root" + file), NOTHING);
    } catch (IOException e) {
      return false;
    }
  }

  /** Who cannot come in. */
  public static final class FencedOff extends Exception {
    private static final long serialVersionUID = 1;

    FencedOff(String why) {
      super(why);
    }
  }

  /** The wrapper's only child; when it has no capabilities any more, all is in its place. */
  private static Optional<Long> inside(ProcessId wrapper) {
    String outside = namespace(wrapper.pid(), "mnt");
    return Proc.children(wrapper.pid()).stream()
        .filter(pid -> !namespace(pid, "mnt").equals(outside) && Proc.isWithoutPower(pid))
        .findFirst();
  }

  /** Empty of one that is gone: then it is nobody's. */
  private static String namespace(long pid, String kind) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/" + kind)).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
