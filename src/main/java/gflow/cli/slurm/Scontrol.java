package gflow.cli.slurm;

import gflow.api.Answer;
import gflow.api.Gflow.Done;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.ErrorStyle;
import gflow.cli.frame.Refused;
import gflow.cli.frame.SlurmErrorStyle;
import gflow.job.JobRef;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;

/** {@code scontrol}: shows and changes jobs, the node and the partition in Slurm's form. */
public final class Scontrol implements Command {
  private static final Grammar GRAMMAR =
      new Grammar(
          "scontrol",
          "COMMAND …",
          "Shows and changes jobs as Slurm's command of that name does. The commands are show"
              + " job|node|partition|config|hostnames, hold, release, update, requeue,"
              + " requeuehold and ping.",
          List.of(
              Opt.flag("oneliner", "o", "a line for each"),
              Opt.flag("details", "d", "nothing more is known"),
              Opt.flag("all", "a", "also hidden partitions; there are none"),
              Opt.value("clusters", "M", "NAME", "there is only this one").alias("cluster"),
              Opt.flag("quiet", "Q", "say nothing but errors"),
              Opt.flag("verbose", "v", "nothing more is said"),
              Opt.flag("help", "h", "show this and end"),
              SlurmJob.VERSION),
          false);

  /** What is done to some jobs. */
  private interface Change {
    Answer<List<Done>> of(List<JobRef> jobs);
  }

  @Override
  public Grammar grammar() {
    return GRAMMAR;
  }

  @Override
  public ErrorStyle complaints() {
    return SlurmErrorStyle.SCONTROL;
  }

  /** What every one of Slurm's commands says of a number that is none. */
  static Refused noSuchJob() {
    return new Refused("slurm_load_jobs error: Invalid job id specified");
  }

  @Override
  public int run(Call call, Given given) throws BadInput, Refused {
    List<String> words = given.words();
    String command = words.isEmpty() ? "" : words.getFirst().toLowerCase(Locale.ROOT);
    List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
    return switch (command) {
      case "show" -> new ScontrolShow(call, given.has("oneliner")).run(rest);
      case "hold", "uhold" -> each(call, rest, call.gflow()::hold);
      case "release" -> each(call, rest, jobs -> call.gflow().release(jobs, Optional.empty()));
      case "requeue" -> each(call, rest, jobs -> call.gflow().requeue(jobs, false));
      case "requeuehold" -> each(call, rest, jobs -> call.gflow().requeue(jobs, true));
      case "update" -> update(call, rest);
      case "ping" -> ping(call);
      case "version" -> {
        call.line("slurm " + SlurmJob.SLURM);
        yield 0;
      }
      case "suspend", "resume", "reconfigure", "shutdown", "create", "delete", "write" ->
          throw new Refused("gflow has no scontrol " + command + " (scontrol --help)");
      default -> throw new Refused("invalid keyword: " + command);
    };
  }

  private static int ping(Call call) throws Refused {
    String host = Call.get(call.gflow().status()).host();
    call.line("Slurmctld(primary) at " + host + " is UP");
    return 0;
  }

  private static int each(Call call, List<String> words, Change change) throws BadInput, Refused {
    if (words.isEmpty()) {
      throw new Refused("too few arguments for this command");
    }
    int code = 0;
    for (String word : words) {
      // Slurm takes a job's name too, as in jobname=train.
      code = Math.max(code, each(call, refs(word), word, change));
    }
    return code;
  }

  private static int each(Call call, List<JobRef> refs, String word, Change change) throws Refused {
    Answer<List<Done>> answer = change.of(refs);
    if (answer instanceof Answer.No<List<Done>>(var kind, String line)) {
      if (kind == Answer.Kind.NO_DAEMON) {
        throw new Refused(line, kind.exitCode());
      }
      call.output().problem(slurms(line, word));
      return 1;
    }
    int code = 0;
    for (Done done : Call.get(answer)) {
      if (!done.changed()) {
        call.output().problem("job " + done.job() + " " + done.text());
        code = 1;
      }
    }
    return code;
  }

  private static String slurms(String line, String word) {
    return line.startsWith("there is no job ") ? "Invalid job id specified for job " + word : line;
  }

  private static List<JobRef> refs(String word) throws BadInput, Refused {
    try {
      return JobRefs.list(word);
    } catch (BadInput e) {
      throw new Refused("Invalid job id specified for job " + word);
    }
  }

  private static int update(Call call, List<String> words) throws BadInput, Refused {
    var jobs = new ArrayList<JobRef>();
    var others = new ArrayList<String>();
    String named = "";
    for (String word : words) {
      String key = word.split("=", 2)[0].toLowerCase(Locale.ROOT);
      if (List.of("jobid", "job").contains(key) && word.contains("=")) {
        named = word.split("=", 2)[1];
        jobs.addAll(refs(named));
      } else {
        others.add(word);
      }
    }
    if (jobs.isEmpty()) {
      throw new Refused("No valid entity in update command: only JobId=… can be changed here");
    }
    SortedMap<String, String> changes = ScontrolUpdate.changes(others);
    return each(
        call, jobs, named, some -> call.gflow().update(some, changes, call.invocation().key()));
  }
}
