package gflow.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.job.Recipients;
import gflow.process.AttemptProcesses;
import gflow.process.Proc;
import gflow.process.ProcessId;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Finds those of a job's processes that a signal is for. */
final class Signalling {
  private static final Set<String> STEP_COMMANDS = Set.of("srun", "grun");

  /** Those by which a job may end itself, and which shall hear that it will. */
  private static final Set<String> ENDING_COMMANDS = Set.of("scancel", "gcancel", "scontrol");

  private static final String MAIN = "gflow.Main";

  private Signalling() {}

  /**
   * What is to be known of a process: {@code inStep} if {@code srun} started it, or what started
   * it; {@code waits} for a step as its parent; {@code first}: the wrapper started it, as a script.
   */
  record Member(
      ProcessId id, long group, long session, boolean inStep, boolean waits, boolean first) {}

  static List<ProcessId> of(AttemptProcesses group, Recipients to) {
    Set<ProcessId> first = Set.copyOf(group.program());
    List<Member> members =
        group.members().stream()
            .flatMap(id -> Proc.stat(id.pid()).stream())
            .map(stat -> member(stat, first))
            .toList();
    return choose(members, to);
  }

  private static Member member(Proc.Stat stat, Set<ProcessId> first) {
    ProcessId id = stat.id();
    return new Member(
        id, stat.group(), stat.session(), inStep(id), waitsForStep(id), first.contains(id));
  }

  static List<ProcessId> choose(List<Member> all, Recipients to) {
    Set<Long> ofFirst = groups(all, Member::first);
    Set<Long> ofParents = groups(all, Member::waits);
    // A task leads a session, or at a terminal shares the group of who started it.
    Predicate<Member> task =
        one ->
            one.inStep()
                && !one.waits()
                && (one.group() == one.session() || ofParents.contains(one.group()));
    Predicate<Member> besideScript =
        one -> !one.waits() && !one.inStep() && ofFirst.contains(one.group());
    Predicate<Member> wanted =
        switch (to) {
          case STEPS -> task;
          case SCRIPT -> Member::first;
          case ALL -> task.or(besideScript);
          case PROGRAMS ->
              all.stream().anyMatch(task) ? task : besideScript.and(one -> !one.first());
        };
    return all.stream().filter(wanted).map(Member::id).toList();
  }

  private static Set<Long> groups(List<Member> all, Predicate<Member> which) {
    return all.stream().filter(which).map(Member::group).collect(Collectors.toSet());
  }

  /** A step's tasks are known by a variable that what stands around them does not have. */
  private static boolean inStep(ProcessId process) {
    return Proc.environ(process.pid())
        .map(block -> "\0" + new String(block, ISO_8859_1))
        .filter(block -> block.contains("\0SLURM_STEP_ID="))
        .isPresent();
  }

  /**
   * The shell, or for many tasks the JVM, that stays as a step's parent: it would die of most
   * signals, and its step with it.
   */
  private static boolean waitsForStep(ProcessId process) {
    return isCommand(process, STEP_COMMANDS);
  }

  /** Whether it asks for an end, or is about to say what it was answered. */
  static boolean asksForAnEnd(ProcessId process) {
    return isCommand(process, ENDING_COMMANDS);
  }

  /** Of a group: it ends its roles itself, one after the other. */
  static List<ProcessId> parentOfRoles(AttemptProcesses group) {
    return group.members().stream()
        .filter(
            process -> {
              List<String> words = words(process);
              int main = words.indexOf(MAIN);
              return main >= 0
                  && words.subList(main + 1, words.size()).indexOf("run-group") == 1
                  && words.get(main + 1).equals("gflow");
            })
        .toList();
  }

  private static List<String> words(ProcessId process) {
    return Proc.cmdline(process.pid()).stream().map(word -> new String(word, UTF_8)).toList();
  }

  private static boolean isCommand(ProcessId process, Set<String> names) {
    List<String> words = words(process);
    int main = words.indexOf(MAIN);
    int at = main < 0 ? 1 : main + 1;
    return at < words.size()
        && names.contains(words.get(at).substring(words.get(at).lastIndexOf('/') + 1));
  }

  /** Whether it is the parent of a task that runs, which gets the signal itself. */
  static boolean handsOn(ProcessId process) {
    return waitsForStep(process)
        && Proc.children(process.pid()).stream()
            .anyMatch(pid -> Proc.stat(pid).filter(child -> inStep(child.id())).isPresent());
  }
}
