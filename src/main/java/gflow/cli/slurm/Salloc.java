package gflow.cli.slurm;

import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.ErrorStyle;
import gflow.cli.frame.Refused;
import gflow.cli.frame.ShellText;
import gflow.cli.step.Allocating;
import gflow.cli.step.Allocating.Speech;
import gflow.cli.step.JoinedJob;
import gflow.cli.step.StepPrograms;
import gflow.script.env.Environment;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.order.OptionVariables;
import gflow.script.step.AllocationOptions;
import gflow.script.step.StepScript;
import gflow.script.value.BadInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code salloc}: takes an allocation and runs a command, or a shell, in which {@code srun} makes
 * steps of it.
 */
public final class Salloc {
  private static final Grammar GRAMMAR = AllocationOptions.salloc();
  private static final int NOT_FOUND = 1;

  public static final Command COMMAND = new Command(GRAMMAR, ErrorStyle.SLURMS, Salloc::run);

  private Salloc() {}

  private static int run(Call call, Given typed) throws BadInput, Refused {
    Given given = OptionVariables.SALLOC.under(GRAMMAR, typed, call::variable);
    SlurmWords.defined(call, given);
    if (given.has("no-shell")) {
      throw new BadInput("--no-shell: an allocation ends with its command; submit one by sbatch");
    }
    List<String> words = given.words().isEmpty() ? Allocating.shell(call) : given.words();
    Optional<String> program = StepPrograms.find(call, given, words.getFirst());
    if (program.isEmpty()) {
      throw new Refused(
          "_fork_command: Unable to find command \"" + words.getFirst() + "\"", NOT_FOUND);
    }
    var allocating = new Allocating(call, given, Speech.SALLOC);
    var joined =
        new JoinedJob(call, allocating.take(AllocationOptions.ofSalloc(given), words), true);
    if (!given.has("quiet")) {
      call.problem("Granted job allocation " + joined.job());
    }
    return runIn(joined, given, program.get(), words);
  }

  private static int runIn(JoinedJob joined, Given given, String program, List<String> words)
      throws Refused {
    Call call = joined.outer();
    Optional<String> folder = given.value("chdir").map(written -> call.path(written).toString());
    var run =
        new StepScript.Run(
            program,
            given.words().isEmpty() ? 0 : words.size() - 1,
            joined.launchers(),
            joined.variables(),
            joined.dropped(),
            StepScript.Streams.INHERITED,
            folder,
            joined.env(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(joined.outside(Speech.SALLOC, given.has("quiet"))));
    Path text = Path.of(joined.answer().reason()).resolveSibling("salloc.sh");
    return call.output().handOver(() -> ShellText.write(text, StepScript.text(run)))
        ? 0
        : here(joined, folder, program, words);
  }

  /** Where this process is one of the caller's own. */
  private static int here(
      JoinedJob joined, Optional<String> folder, String program, List<String> words)
      throws Refused {
    Call call = joined.inJob();
    String where = folder.orElse(call.folder());
    var command = new ArrayList<>(joined.entering(where));
    command.add(program);
    command.addAll(words.subList(1, words.size()));
    var builder = new ProcessBuilder(command).inheritIO();
    builder.directory(Path.of(where).toFile());
    builder.environment().clear();
    builder.environment().putAll(Environment.of(call.environment()).texts());
    call.output().flush();
    try {
      Process process = builder.start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
      int code = process.waitFor();
      boolean revoked = !JoinedJob.read(Path.of(joined.answer().reason())).isEmpty();
      call.problem(
          (revoked ? "Job allocation " : "Relinquishing job allocation ")
              + joined.job()
              + (revoked ? " has been revoked." : ""));
      joined.tell(code);
      return code > 128 || revoked ? 1 : code;
    } catch (IOException e) {
      throw new Refused(words.getFirst() + " could not be started: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused("interrupted");
    }
  }
}
