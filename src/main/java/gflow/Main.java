package gflow;

import gflow.cli.frame.Invocation;
import gflow.config.BadConfig;
import gflow.door.OwnCall;
import gflow.group.GroupParent;
import gflow.script.value.BadInput;
import gflow.tasks.StepParent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The program. Words: the name of the command, then its arguments. The daemon in the foreground is
 * a life of its own; everything else is a client, which the launcher starts only where nobody
 * answers at the door.
 */
public final class Main {
  private static final Set<String> STEPS = Set.of("grun", "srun");

  private Main() {}

  public static void main(String[] words) {
    int code = run(List.of(words));
    System.out.flush();
    // Everything is closed by now. An exit would first look through all jars for a logger that
    // might want to hear of it, which takes a client as long as its work.
    Runtime.getRuntime().halt(code);
  }

  private static int run(List<String> words) {
    if (words.isEmpty()) {
      System.err.println("gflow: no command (the launcher gives one)");
      return 2;
    }
    if (words.equals(List.of("gflowd")) || words.equals(List.of("gflowd", "--foreground"))) {
      return Foreground.run();
    }
    Invocation call = OwnCall.of(RawArguments.raw(words));
    var output = StandardOutput.of(OwnCall.printed());
    try {
      if (words.equals(List.of("gflow", "train"))) {
        return Training.run();
      }
      if (words.size() > 1 && words.subList(0, 2).equals(List.of("gflow", "doctor"))) {
        return new Doctor(call, output).run(words.subList(2, words.size()));
      }
      if (words.size() > 1 && words.subList(0, 2).equals(List.of("gflow", "wait-for"))) {
        return new WaitFor(call, output).run(call.arguments().subList(1, words.size() - 1));
      }
      if (words.size() == 5 && words.subList(0, 2).equals(List.of("gflow", "run-group"))) {
        return runGroup(call, output);
      }
      return STEPS.contains(call.command())
          ? runStep(call, output)
          : new Client(call, output).run();
    } catch (BadConfig e) {
      e.problems().forEach(line -> output.problem(call.command() + ": " + line));
      return 2;
    }
  }

  /** What the job of a group runs. */
  private static int runGroup(Invocation call, StandardOutput output) {
    List<String> words = call.arguments();
    var setting =
        new GroupParent.Setting(
            Path.of(words.get(1)),
            words.get(2),
            words.get(3),
            Self.launcher().toAbsolutePath().toString(),
            call.origin().environment(),
            call.origin().folder());
    try {
      return GroupParent.run(setting, line -> output.problem("gflow: " + line));
    } catch (BadInput e) {
      output.problem("gflow: " + e.line());
    } catch (IOException e) {
      output.problem("gflow: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }

  /** A signal before there are tasks ends it, as if it had not been blocked. */
  static int runStep(Invocation call, StandardOutput output) throws BadConfig {
    try (var parent = new StepParent(signal -> Runtime.getRuntime().halt(128 + signal))) {
      return new Client(call, output.asParent(parent)).run();
    } catch (IOException e) {
      output.problem(call.command() + ": " + e.getMessage());
      return 1;
    }
  }
}
