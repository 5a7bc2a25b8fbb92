package gflow.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The cgroup folders of one attempt: one of version 2, or one for each controller of version 1, or
 * both (a machine may have the memory controller in version 1 only), or none.
 */
record CgroupFolders(Optional<Path> unified, Map<CgroupController, Path> legacy) {
  static final CgroupFolders NONE = new CgroupFolders(Optional.empty(), Map.of());

  CgroupFolders {
    legacy = Map.copyOf(legacy);
  }

  List<Path> folders() {
    var folders = new ArrayList<Path>();
    unified.ifPresent(folders::add);
    for (var controller : CgroupController.values()) {
      Optional.ofNullable(legacy.get(controller)).ifPresent(folders::add);
    }
    return folders;
  }

  /** Where membership is read: any of the folders would do, all processes are in each. */
  private Optional<Path> first() {
    return folders().stream().findFirst();
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
    if (legacy.containsKey(CgroupController.CPUSET)) {
      Affinity.set(pid, pinned);
    }
  }

  /**
   * Holds a process, and what it starts, to some of the CPUs. Only version 1 can: in version 2 a
   * group that has processes has none below it with limits.
   */
  void confine(String part, long pid, List<Integer> cpus) {
    var own =
        Optional.ofNullable(legacy.get(CgroupController.CPUSET)).map(path -> path.resolve(part));
    var below =
        new CgroupFolders(
            Optional.empty(), own.map(p -> Map.of(CgroupController.CPUSET, p)).orElse(Map.of()));
    if (below.tryCreate() && below.bind(cpus)) {
      below.add(pid);
    }
  }

  void release(String part) {
    Optional.ofNullable(legacy.get(CgroupController.CPUSET))
        .ifPresent(own -> remove(own.resolve(part)));
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
    var v1 = legacy.get(CgroupController.MEMORY);
    var folder = Optional.ofNullable(v1).or(() -> unified);
    if (folder.isEmpty()) {
      return false;
    }
    String limit = v1 != null ? "memory.limit_in_bytes" : "memory.max";
    String swap = v1 != null ? "memory.memsw.limit_in_bytes" : "memory.swap.max";
    boolean done = ControlFile.write(folder.get().resolve(limit), "" + bytes);
    if (done && Files.exists(folder.get().resolve(swap))) {
      ControlFile.write(folder.get().resolve(swap), v1 != null ? "" + bytes : "0");
    }
    return done;
  }

  private boolean bind(List<Integer> cpus) {
    var list = cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    var folder = Optional.ofNullable(legacy.get(CgroupController.CPUSET)).or(() -> unified);
    return folder.isPresent() && ControlFile.write(folder.get().resolve("cpuset.cpus"), list);
  }

  /** Version 2 says in one word whether anything lives in the group or below it. */
  List<Long> pids() {
    if (unified.isPresent()
        && ControlFile.read(unified.get().resolve("cgroup.events")).contains("populated 0")) {
      return List.of();
    }
    return first().map(ControlFile::pids).orElse(List.of());
  }

  /** One blow to all; those of version 1 are frozen first, so that none can fork away from it. */
  void kill() {
    if (unified.isPresent()) {
      ControlFile.write(unified.get().resolve("cgroup.kill"), "1");
      return;
    }
    var freezer = Optional.ofNullable(legacy.get(CgroupController.FREEZER));
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
    var memory = legacy.get(CgroupController.MEMORY);
    if (memory != null) {
      return new CgroupUsage(
          cpu(),
          ControlFile.number(memory.resolve("memory.max_usage_in_bytes")),
          ControlFile.number(memory.resolve("memory.oom_control"), "oom_kill").orElse(0));
    }
    return unified
        .map(
            folder ->
                new CgroupUsage(
                    cpu(),
                    ControlFile.number(folder.resolve("memory.peak")),
                    ControlFile.number(folder.resolve("memory.events"), "oom_kill").orElse(0)))
        .orElseGet(() -> new CgroupUsage(cpu(), OptionalLong.empty(), 0));
  }

  private Optional<Duration> cpu() {
    if (unified.isPresent()) {
      var micros = ControlFile.number(unified.get().resolve("cpu.stat"), "usage_usec");
      return micros.isPresent()
          ? Optional.of(Duration.ofNanos(micros.getAsLong() * 1000))
          : Optional.empty();
    }
    var folder = legacy.get(CgroupController.CPUACCT);
    var nanos =
        folder == null ? OptionalLong.empty() : ControlFile.number(folder.resolve("cpuacct.usage"));
    return nanos.isPresent() ? Optional.of(Duration.ofNanos(nanos.getAsLong())) : Optional.empty();
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
