package gflow.process;

import static gflow.process.CgroupController.CPUACCT;
import static gflow.process.CgroupController.CPUSET;
import static gflow.process.CgroupController.MEMORY;
import static gflow.process.CgroupController.UNIFIED;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The cgroups that this process may use: a folder {@code gflow-<uid>} in its own cgroup, of version
 * 2 where it is writable, else of version 1, else none.
 */
public final class Cgroups implements AutoCloseable {
  /** A daemon that systemd put into this subgroup (DelegateSubgroup=) keeps its jobs beside it. */
  private static final String DAEMON = "gflow-daemon";

  private static final List<String> WANTED = List.of("memory", "cpuset", "cpu", "pids");

  /** What version 1 may add where version 2 has membership but not these. */
  private static final Set<CgroupController> BESIDE_V2 = EnumSet.of(MEMORY, CPUSET);

  /** Which way to take. */
  public enum Mode {
    AUTO,
    V2,
    V1,
    NONE
  }

  /** Where our groups are: one folder of version 2, one for each controller of version 1. */
  private final SortedMap<CgroupController, Path> bases;

  /** Those of version 2 that groups below have. */
  private final Set<String> controllers;

  private Cgroups(SortedMap<CgroupController, Path> bases, Set<String> controllers) {
    this.bases = bases;
    this.controllers = controllers;
  }

  public static Cgroups detect(Mode wanted) {
    return detect(wanted, Path.of("/"));
  }

  /** Of the machine below {@code root}, which tests make up. */
  static Cgroups detect(Mode wanted, Path root) {
    var mounts = CgroupMounts.read(root);
    String folder = "gflow-" + Proc.status(ProcessHandle.current().pid()).orElseThrow().uid();
    var bases = new TreeMap<CgroupController, Path>();
    if (wanted == Mode.V2 || wanted == Mode.AUTO) {
      mounts
          .own(UNIFIED)
          .flatMap(own -> unified(own, folder))
          .ifPresent(base -> bases.put(UNIFIED, base));
    }
    if (wanted == Mode.V1 || wanted == Mode.AUTO) {
      var legacy = EnumSet.complementOf(EnumSet.of(UNIFIED));
      for (var controller : bases.isEmpty() ? legacy : BESIDE_V2) {
        mounts
            .own(controller)
            .flatMap(own -> legacy(own, folder))
            .ifPresent(base -> bases.put(controller, base));
      }
    }
    var v2 = Optional.ofNullable(bases.get(UNIFIED));
    return new Cgroups(bases, v2.map(Cgroups::enable).orElse(Set.of()));
  }

  /** The way taken; NONE where the one asked for is not to be had here. */
  public Mode mode() {
    return bases.containsKey(UNIFIED) ? Mode.V2 : bases.isEmpty() ? Mode.NONE : Mode.V1;
  }

  /** Whether a set of CPUs would be held. */
  public boolean limitsCpus() {
    return controllers.contains("cpuset") || bases.containsKey(CPUSET);
  }

  /** A new group; the name must be unique among all daemons of this user. */
  public AttemptProcesses open(String name, ProcessMark mark, CgroupLimits limits)
      throws IOException {
    var folders = folders(name, limits);
    try {
      folders.create();
    } catch (IOException e) {
      folders.remove();
      throw e;
    }
    refill(folders);
    return new AttemptProcesses(mark, folders, folders.apply(limits), true);
  }

  /**
   * A daemon of this user that ends removes our folder if there is nothing in it. Then it was made
   * again just now, as empty as the kernel makes it.
   */
  private void refill(CgroupFolders folders) {
    folders
        .of(CPUSET)
        .filter(own -> ControlFile.read(own.resolve("cpuset.mems")).isEmpty())
        .ifPresent(
            own -> {
              fillCpuset(requireNonNull(own.getParent()));
              fillCpuset(own);
            });
    folders
        .of(UNIFIED)
        .map(own -> own.resolve("cgroup.controllers"))
        .filter(file -> !ControlFile.words(file).containsAll(controllers))
        .ifPresent(_ -> enable(requireNonNull(bases.get(UNIFIED))));
  }

  /**
   * A group without limits, into which {@link AttemptProcesses#enclose} brings what runs already.
   */
  public AttemptProcesses later(String name, ProcessMark mark) {
    return new AttemptProcesses(mark, folders(name, CgroupLimits.NONE), CgroupLimits.NONE, false);
  }

  /**
   * The group of an attempt that an earlier daemon started, by whichever way it had then. What that
   * daemon had not brought into the cgroup yet, {@link AttemptProcesses#enclose} does.
   */
  public AttemptProcesses adopt(String name, ProcessMark mark, Optional<ProcessId> wrapper) {
    var found = folders(name, bases.keySet());
    found.values().removeIf(folder -> !Files.isDirectory(folder));
    var group = AttemptProcesses.found(mark, new CgroupFolders(found));
    group.adopted(wrapper);
    return group;
  }

  /** The names of all groups that exist, also those that a crash left behind. */
  public Set<String> names() {
    var names = new TreeSet<String>();
    for (var base : bases.values()) {
      ControlFile.below(base).forEach(folder -> names.add(String.valueOf(folder.getFileName())));
    }
    return names;
  }

  /** Removes our folder unless there are groups in it. For the last daemon of this user. */
  @Override
  public void close() {
    bases.values().forEach(Cgroups::removeIfEmpty);
  }

  /** Version 1 folders cost a job time, so only those that do something for it are made. */
  private CgroupFolders folders(String name, CgroupLimits limits) {
    var use = EnumSet.of(UNIFIED);
    if (mode() == Mode.V1) {
      use.add(bases.firstKey());
      use.add(CPUACCT);
    }
    if (limits.memory() && !controllers.contains("memory")) {
      use.add(MEMORY);
    }
    if (!limits.cpus().isEmpty() && !controllers.contains("cpuset")) {
      use.add(CPUSET);
    }
    return new CgroupFolders(folders(name, use));
  }

  private SortedMap<CgroupController, Path> folders(String name, Set<CgroupController> use) {
    var folders = new TreeMap<>(bases);
    folders.keySet().retainAll(use);
    folders.replaceAll((_, base) -> base.resolve(name));
    return folders;
  }

  /** A daemon started from within one of its own jobs must not end with it, so it moves out. */
  private static Path outside(Path own, String folder) {
    if (own.endsWith(DAEMON)) {
      return requireNonNull(own.getParent());
    }
    for (Path at = own; at.getParent() != null; at = at.getParent()) {
      if (at.endsWith(folder)) {
        Path above = at.getParent();
        ControlFile.write(above.resolve("cgroup.procs"), "" + ProcessHandle.current().pid());
        return above;
      }
    }
    return own;
  }

  /**
   * Our own group if it hands down memory, else the nearest one above that does and is ours to use
   * (root in a service, say). Without any, our own still serves for membership and kill.
   */
  private static Optional<Path> unified(Path own, String folder) {
    Path start = outside(own, folder);
    Optional<Path> plain = usable(start, folder);
    for (Path at = start; at != null && isGroup(at); at = at.getParent()) {
      Optional<Path> base = usable(at, folder);
      if (base.isPresent() && enable(base.get()).contains("memory")) {
        return base;
      }
      if (!at.equals(start)) {
        base.ifPresent(Cgroups::removeIfEmpty);
      }
    }
    return plain;
  }

  private static boolean isGroup(Path folder) {
    return Files.exists(folder.resolve("cgroup.controllers"));
  }

  private static void removeIfEmpty(Path base) {
    try {
      Files.deleteIfExists(base);
    } catch (IOException _) {
      // There are groups in it: another daemon's, or of jobs, which outlive this one.
    }
  }

  private static Optional<Path> usable(Path own, String folder) {
    return base(own, folder)
        .filter(base -> Files.isWritable(base.resolve("cgroup.kill")))
        .filter(base -> !ControlFile.read(base.resolve("cgroup.type")).contains("invalid"));
  }

  private static Optional<Path> legacy(Path own, String folder) {
    var base = base(outside(own, folder), folder);
    base.ifPresent(Cgroups::fillCpuset);
    return base;
  }

  /** To move a process the kernel wants us to own the group above both places. */
  private static Optional<Path> base(Path own, String folder) {
    var base = own.resolve(folder);
    if (!Files.isWritable(own.resolve("cgroup.procs"))) {
      return Optional.empty();
    }
    try {
      Files.createDirectories(base);
    } catch (IOException _) {
      return Optional.empty();
    }
    return Optional.of(base).filter(made -> Files.isWritable(made.resolve("cgroup.procs")));
  }

  /** A new cpuset of version 1 is empty, and nothing can join it. */
  private static void fillCpuset(Path base) {
    for (String name : List.of("cpuset.cpus", "cpuset.mems")) {
      var file = base.resolve(name);
      if (Files.exists(file) && ControlFile.read(file).isEmpty()) {
        ControlFile.write(file, ControlFile.read(base.resolveSibling(name)));
      }
    }
    if (Files.exists(base.resolve("cpuset.cpus"))) {
      ControlFile.write(base.resolve("cgroup.clone_children"), "1");
    }
  }

  /**
   * Asks for the controllers that the groups below can have. A group with processes in it cannot
   * hand controllers down (except the root), so this often fails; membership and kill remain.
   */
  private static Set<String> enable(Path base) {
    for (var folder : List.of(requireNonNull(base.getParent()), base)) {
      for (String controller : WANTED) {
        if (ControlFile.words(folder.resolve("cgroup.controllers")).contains(controller)
            && !ControlFile.words(folder.resolve("cgroup.subtree_control")).contains(controller)) {
          ControlFile.write(folder.resolve("cgroup.subtree_control"), "+" + controller);
        }
      }
    }
    return Set.copyOf(ControlFile.words(base.resolve("cgroup.subtree_control")));
  }
}
