package gflow.process;

import static gflow.process.CgroupController.CPUACCT;
import static gflow.process.CgroupController.CPUSET;
import static gflow.process.CgroupController.FREEZER;
import static gflow.process.CgroupController.MEMORY;
import static gflow.process.CgroupController.UNIFIED;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The cgroup folders of one attempt: one of version 2, or one for each controller of version 1, or
 * both (a machine may have the memory controller in version 1 only), or none.
 */
record CgroupFolders(SortedMap<CgroupController, Path> all) {
  static final CgroupFolders NONE = new CgroupFolders(new TreeMap<>());

  /** How the files of a group are called that limit and count memory. */
  private record MemoryFiles(String limit, String swap, String peak, String events) {
    static final MemoryFiles V1 =
        new MemoryFiles(
            "memory.limit_in_bytes",
            "memory.memsw.limit_in_bytes",
            "memory.max_usage_in_bytes",
            "memory.oom_control");
    static final MemoryFiles V2 =
        new MemoryFiles("memory.max", "memory.swap.max", "memory.peak", "memory.events");
  }

  CgroupFolders {
    all = Collections.unmodifiableSortedMap(new TreeMap<>(all));
  }

  Optional<Path> of(CgroupController controller) {
    return Optional.ofNullable(all.get(controller));
  }

  /** Where the controller of version 1 is, or else all of them. */
  private Optional<Path> where(CgroupController controller) {
    return of(controller).or(() -> of(UNIFIED));
  }

  Collection<Path> folders() {
    return all.values();
  }

  void create() throws IOException {
    for (var folder : folders()) {
      Files.createDirectories(folder);
    }
  }

  /** False if the kernel does not want it, or there is none to make. */
  boolean tryCreate() {
    try {
      create();
      return !folders().isEmpty();
    } catch (IOException _) {
      return false;
    }
  }

  List<Path> joinFiles() {
    return folders().stream().map(folder -> folder.resolve("cgroup.procs")).toList();
  }

  /** Older kernels forget the CPUs of a process that comes into a cpuset. */
  void add(long pid) {
    List<Integer> pinned = Affinity.get(pid);
    joinFiles().forEach(file -> ControlFile.write(file, Long.toString(pid)));
    if (all.containsKey(CPUSET)) {
      Affinity.set(pid, pinned);
    }
  }

  /**
   * Holds a process, and what it starts, to some of the CPUs. Only version 1 can: in version 2 a
   * group that has processes has none below it with limits.
   */
  void confine(String part, long pid, List<Integer> cpus) {
    var own = new TreeMap<CgroupController, Path>();
    of(CPUSET).ifPresent(path -> own.put(CPUSET, path.resolve(part)));
    var below = new CgroupFolders(own);
    if (below.tryCreate() && below.bind(cpus)) {
      below.add(pid);
    }
  }

  void release(String part) {
    of(CPUSET).ifPresent(own -> remove(own.resolve(part)));
  }

  /** Whether a process is in each of the folders, or in a group that the job made below. */
  boolean holds(long pid) {
    return folders().stream().allMatch(folder -> ControlFile.pids(folder).contains(pid));
  }

  /** Which of the limits hold from now on. */
  CgroupLimits apply(CgroupLimits wanted) {
    var cpus = wanted.cpus().isEmpty() || !bind(wanted.cpus()) ? List.<Integer>of() : wanted.cpus();
    var memory =
        wanted.memory() && limitMemory(wanted.memoryBytes().getAsLong())
            ? wanted.memoryBytes()
            : OptionalLong.empty();
    return new CgroupLimits(memory, cpus);
  }

  /** Swap would only hide that the limit is passed, so it is closed where the kernel lets us. */
  private boolean limitMemory(long bytes) {
    var folder = where(MEMORY);
    if (folder.isEmpty()
        || !ControlFile.write(folder.get().resolve(memoryFiles().limit()), "" + bytes)) {
      return false;
    }
    var swap = folder.get().resolve(memoryFiles().swap());
    if (Files.exists(swap)) {
      // Version 1 counts memory and swap together.
      ControlFile.write(swap, all.containsKey(MEMORY) ? "" + bytes : "0");
    }
    return true;
  }

  private MemoryFiles memoryFiles() {
    return all.containsKey(MEMORY) ? MemoryFiles.V1 : MemoryFiles.V2;
  }

  private boolean bind(List<Integer> cpus) {
    var list = cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    return where(CPUSET)
        .filter(folder -> ControlFile.write(folder.resolve("cpuset.cpus"), list))
        .isPresent();
  }

  /** Version 2 says in one word whether anything lives in the group or below it. */
  List<Long> pids() {
    boolean none =
        of(UNIFIED)
            .filter(own -> ControlFile.read(own.resolve("cgroup.events")).contains("populated 0"))
            .isPresent();
    // Any of the folders would do: all processes are in each.
    return none
        ? List.of()
        : folders().stream().limit(1).flatMap(own -> ControlFile.pids(own).stream()).toList();
  }

  /** One blow to all; those of version 1 are frozen first, so that none can fork away from it. */
  void kill() {
    if (all.containsKey(UNIFIED)) {
      ControlFile.write(all.get(UNIFIED).resolve("cgroup.kill"), "1");
      return;
    }
    var freezer = of(FREEZER);
    freezer.ifPresent(CgroupFolders::freeze);
    for (long pid : pids()) {
      ProcessId.of(pid).ifPresent(process -> Signals.send(process, Signals.KILL));
    }
    freezer.ifPresent(folder -> ControlFile.write(folder.resolve("freezer.state"), "THAWED"));
  }

  private static void freeze(Path folder) {
    var state = folder.resolve("freezer.state");
    ControlFile.write(state, "FROZEN");
    for (int i = 0; i < 50 && ControlFile.read(state).equals("FREEZING"); i++) {
      Pause.millis(1);
    }
  }

  CgroupUsage used() {
    MemoryFiles files = memoryFiles();
    return new CgroupUsage(
        cpu(),
        counted(MEMORY, files.peak(), ""),
        counted(MEMORY, files.events(), "oom_kill").orElse(0));
  }

  private Optional<Duration> cpu() {
    boolean v2 = all.containsKey(UNIFIED);
    OptionalLong time =
        v2 ? counted(UNIFIED, "cpu.stat", "usage_usec") : counted(CPUACCT, "cpuacct.usage", "");
    return time.isPresent()
        ? Optional.of(Duration.ofNanos(time.getAsLong() * (v2 ? 1000 : 1)))
        : Optional.empty();
  }

  private OptionalLong counted(CgroupController controller, String file, String key) {
    return where(controller)
        .map(folder -> ControlFile.number(folder.resolve(file), key))
        .orElse(OptionalLong.empty());
  }

  /**
   * Removes the folders; the kernel keeps one busy for a moment after its last process. What a
   * process that cannot die keeps for good is left: {@link Cgroups#names} shows it.
   */
  void remove() {
    folders().forEach(CgroupFolders::remove);
  }

  private static void remove(Path folder) {
    try {
      Files.deleteIfExists(folder);
      return;
    } catch (IOException _) {
      // Seldom: it has groups of its own, or is still busy.
    }
    ControlFile.below(folder).forEach(CgroupFolders::remove);
    for (int i = 0; i < 50; i++) {
      try {
        Files.deleteIfExists(folder);
        return;
      } catch (IOException _) {
        Pause.millis(2);
      }
    }
  }
}
