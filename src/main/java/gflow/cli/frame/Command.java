package gflow.cli.frame;

import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.util.List;

/** One command, {@code gqueue} or {@code gjob show}: how it is called, and what it then does. */
public record Command(Grammar grammar, ErrorStyle complaints, Body body) {
  public static final Opt JSON = Opt.flag("json", "", "answer in JSON");

  /** What a command does; returns the exit code. */
  public interface Body {
    int run(Call call, Given given) throws BadInput, Refused;
  }

  public Command(Grammar grammar, Body body) {
    this(grammar, ErrorStyle.OURS, body);
  }

  public static Command of(String name, String usage, String about, List<Opt> options, Body body) {
    return new Command(new Grammar(name, usage, about, options, false), body);
  }

  /** One that has Slurm's name. */
  public static Command slurms(
      String name, String usage, String about, List<Opt> options, Body body) {
    var grammar = new Grammar(name, usage, about, options, false);
    return new Command(grammar, ErrorStyle.SLURMS, body);
  }

  /** What goes wrong is said in the command's own way. */
  public int run(Call call, Given given) {
    try {
      return body.run(call, given);
    } catch (BadInput e) {
      return complaints.wrong(call, e);
    } catch (Refused e) {
      return complaints.refused(call, e);
    }
  }
}
