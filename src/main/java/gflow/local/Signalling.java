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
   * The shell that stays as a step's parent: it would die of most signals, and its step with it.
   */
  private static boolean waitsForStep(ProcessId process) {
    List<byte[]> words = Proc.cmdline(process.pid());
    if (words.size() < 2) {
      return false;
    }
    String path = new String(words.get(1), UTF_8);
    return STEP_COMMANDS.contains(path.substring(path.lastIndexOf('/') + 1));
  }
}
