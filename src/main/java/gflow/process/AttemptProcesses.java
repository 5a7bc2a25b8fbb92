package gflow.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Everything that belongs to one attempt, by whichever way this machine offers: its cgroup, and in
 * any case the wrapper's session, its descendants, the orphans that came to us, and the mark. Made
 * before the wrapper by {@link Cgroups#open} or {@link Cgroups#later}, or found again by {@link
 * Cgroups#adopt}.
 */
public final class AttemptProcesses implements AutoCloseable {
  /** A shell dies of any other signal, and the wrapper must outlive the program. */
  private static final Set<Integer> FOR_THE_WRAPPER_TOO =
      Set.of(Signals.HUP, Signals.INT, Signals.TERM, Signals.KILL, Signals.CONT);

  private static final int MOST_PASSES = 20;

  private final ProcessMark mark;
  private final CgroupFolders later;
  private final ProcessTree tree;
  private final CgroupLimits enforced;
  private final PeakMemory peaks;

  /** What there is of the cgroup by now. */
  private volatile CgroupFolders folders;

  /** Whether all members are known to be in the cgroup, so that it alone can be asked. */
  private volatile boolean enclosed;

  private boolean closed;

  /** {@code joined}: the wrapper enters by itself, before it does anything else. */
  AttemptProcesses(ProcessMark mark, CgroupFolders folders, CgroupLimits enforced, boolean joined) {
    this.mark = mark;
    this.later = folders;
    this.folders = joined ? folders : CgroupFolders.NONE;
    this.tree = new ProcessTree(mark);
    this.enforced = enforced;
    this.peaks = new PeakMemory(mark);
    enclosed = joined && !folders.folders().isEmpty();
  }

  /** Of an earlier daemon, which may have had no time to bring everything in. */
  static AttemptProcesses found(ProcessMark mark, CgroupFolders folders) {
    var group = new AttemptProcesses(mark, folders, CgroupLimits.NONE, false);
    group.folders = folders;
    return group;
  }

  public ProcessMark mark() {
    return mark;
  }

  /** The first process of the attempt, if it is known. */
  public Optional<ProcessId> wrapper() {
    return tree.wrapper();
  }

  /**
   * Somebody who is no member runs a part of the attempt: from now on what is below that process,
   * or carries a mark, is looked for everywhere, and {@link #enclose} brings it in too.
   */
  public void welcome(ProcessId guest) {
    tree.welcome(guest);
  }

  /** The files into which the wrapper writes its pid before it does anything else. */
  public List<Path> joinFiles() {
    return enclosed ? folders.joinFiles() : List.of();
  }

  /**
   * Brings all members into the cgroup that are not there yet. The kernel takes its time to move a
   * process (10 ms where nothing was moved just before), so no start waits for this; until then the
   * tree has to do.
   */
  public void enclose() {
    synchronized (this) {
      if (closed || (enclosed && !tree.hasGuests()) || (!enclosed && !later.tryCreate())) {
        return;
      }
      folders = later;
    }
    // Children of those inside are inside too, so this soon ends.
    Set<ProcessId> left = outside();
    for (int pass = 0; pass < MOST_PASSES && !left.isEmpty(); pass++) {
      left.forEach(process -> folders.add(process.pid()));
      left = outside();
    }
    // One that cannot be moved, as a setuid program, must be looked for.
    enclosed = left.isEmpty();
  }

  /**
   * Holds this member, and what it starts from now on, to some of the CPUs; {@code part}: a name.
   */
  public void confine(String part, ProcessId member, List<Integer> cpus) {
    folders.confine(part, member.pid(), cpus);
  }

  /** Nobody is in that part any more. */
  public void release(String part) {
    folders.release(part);
  }

  private Set<ProcessId> outside() {
    var members = tree.members(true);
    members.removeIf(process -> folders.holds(process.pid()));
    return members;
  }

  /** Those of the limits asked for that the kernel holds the attempt to. */
  public CgroupLimits enforced() {
    return enforced;
  }

  /** To be called right after the wrapper was spawned by this process. */
  public void started(ProcessId wrapper) {
    tree.started(wrapper);
  }

  void adopted(Optional<ProcessId> wrapper) {
    tree.adopted(wrapper);
  }

  /** All that live: no zombies, and never this process itself. */
  public List<ProcessId> members() {
    // A cgroup knows better than a search; without one the search is all there is.
    var members = tree.members(!enclosed);
    for (long pid : folders.pids()) {
      Proc.stat(pid).filter(stat -> !stat.dead()).map(Proc.Stat::id).ifPresent(members::add);
    }
    members.removeIf(process -> process.pid() == ProcessHandle.current().pid());
    return List.copyOf(members);
  }

  /** Whether nothing of it is left. To be asked when its wrapper has ended and been reaped. */
  public boolean isGone() {
    boolean simple = tree.isOfOurChild() && folders.folders().isEmpty();
    return (simple && !Children.mayHaveLeftOrphans()) || members().isEmpty();
  }

  /** Signals every member; the wrapper only by what a shell can catch. How many it reached. */
  public int signal(int signal) {
    return signalBut(signal, _ -> false);
  }

  /** The same without those who shall not hear of it. */
  public int signalBut(int signal, Predicate<ProcessId> spared) {
    var members = members();
    int reached = signal(members.stream().filter(spared.negate()).toList(), signal);
    // A wrapper that was alone may have started the program before the signal came to it; whoever
    // else is new has been started by one that got it, perhaps to save its work.
    if (members.size() == 1 && isWrapper(members.getFirst())) {
      reached += signal(members().stream().filter(p -> !isWrapper(p)).toList(), signal);
    }
    return reached;
  }

  /** What the wrapper itself started, as a script. */
  public List<ProcessId> program() {
    return members().stream().filter(this::isProgram).toList();
  }

  private boolean isProgram(ProcessId process) {
    long parent = Proc.stat(process.pid()).map(Proc.Stat::parent).orElse(0L);
    return tree.wrapper().filter(wrapper -> wrapper.pid() == parent).isPresent();
  }

  /** Signals those of its members; the wrapper is spared as ever. How many it reached. */
  public int signal(List<ProcessId> processes, int signal) {
    int reached = 0;
    for (var process : processes) {
      boolean spared = isWrapper(process) && !FOR_THE_WRAPPER_TOO.contains(signal);
      if (!spared && Signals.send(process, signal)) {
        reached++;
      }
    }
    return reached;
  }

  private boolean isWrapper(ProcessId process) {
    return tree.wrapper().filter(process::equals).isPresent();
  }

  /** Kills every member until none is left, or until the patience ends; true if none is left. */
  public boolean kill(Duration patience) {
    return Signals.kill(
        () -> {
          folders.kill();
          return stopped();
        },
        patience);
  }

  /** The members, held still so that none can fork while the others are found. */
  private List<ProcessId> stopped() {
    var held = new HashSet<ProcessId>();
    var members = members();
    while (held.addAll(members)) {
      members.forEach(process -> Signals.send(process, Signals.STOP));
      members = members();
    }
    return members;
  }

  /** How large it is now may be its peak; to be called now and then. */
  public void look() {
    peaks.look(members());
  }

  /** What the cgroup counted, or was seen by a look; to be asked before {@link #close}. */
  public CgroupUsage used() {
    CgroupUsage counted = folders.used();
    return counted.peakMemoryBytes().isPresent()
        ? counted
        : new CgroupUsage(counted.cpu(), peaks.of(OptionalInt.empty()), counted.oomKills());
  }

  /** The same of the memory of one step. */
  public OptionalLong peak(int step) {
    return peaks.of(OptionalInt.of(step));
  }

  /** Removes the cgroup. The attempt must be over. */
  @Override
  public synchronized void close() {
    closed = true;
    folders.remove();
  }
}
