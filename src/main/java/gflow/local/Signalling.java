package gflow.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.job.Recipients;
import gflow.process.Group;
import gflow.process.Proc;
import gflow.process.ProcessId;
import java.util.List;
import java.util.Set;

/** Finds those of a job's processes that a signal is for. */
final class Signalling {
  private static final Set<String> STEP_COMMANDS = Set.of("srun", "grun");

  private Signalling() {}

  static int send(Group group, int signal, Recipients to) {
    return switch (to) {
      case STEPS -> group.signal(signal, Signalling::inStep);
      case SCRIPT -> group.signalProgram(signal);
      case ALL -> group.signal(signal, process -> !waitsForStep(process));
    };
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
    List<String> words =
        Proc.cmdline(process.pid()).stream().map(word -> new String(word, UTF_8)).toList();
    int main = words.indexOf("gflow.Main");
    int at = main < 0 ? 1 : main + 1;
    return at < words.size()
        && STEP_COMMANDS.contains(words.get(at).substring(words.get(at).lastIndexOf('/') + 1));
  }

  /** Whether it is the parent of a task that runs, which gets the signal itself. */
  static boolean handsOn(ProcessId process) {
    return waitsForStep(process)
        && Proc.children(process.pid()).stream()
            .anyMatch(pid -> Proc.stat(pid).filter(child -> inStep(child.id())).isPresent());
  }
}
