package gflow.cli.slurm;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.ApiRequest.Hold;
import gflow.api.ApiRequest.Release;
import gflow.api.ApiRequest.Requeue;
import gflow.api.ApiRequest.Update;
import gflow.api.Gflow.Done;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Dialog;
import gflow.cli.frame.ErrorStyle;
import gflow.cli.frame.Refused;
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
public final class Scontrol {
  public static final Command COMMAND =
      new Command(
          new Grammar(
              "scontrol",
              "[<OPTION>] COMMAND …",
              "Shows and changes jobs as Slurm's command of that name does. The commands are show"
                  + " job|node|partition|config|hostnames, hold, release, update, requeue,"
                  + " requeuehold and ping.",
              List.of(
                  Opt.flag("oneliner", "o", "a line for each"),
                  Opt.flag("details", "d", "which CPUs and GPUs a job has"),
                  Opt.flag("all", "a", "also hidden partitions; there are none"),
                  Opt.value("clusters", "M", "NAME", "there is only this one").alias("cluster"),
                  Opt.flag("quiet", "Q", "say nothing but errors"),
                  Opt.flag("verbose", "v", "when it was looked up"),
                  Opt.flag("help", "h", "show this and end")),
              false),
          ErrorStyle.SCONTROL,
          Scontrol::run);

  private Scontrol() {}

  static final String NO_SUCH_JOB = "slurm_load_jobs error: Invalid job id specified";

  private static final String PROMPT = "scontrol: ";

  private static final String COMMANDS =
      """
      scontrol [<OPTION>] [<COMMAND>]: scontrol --help lists the options, and without a command
      it asks for them. Valid <COMMAND> values are:
        completing               jobs that are about to end
        exit, quit               end it, where it asks for commands
        help                     show this
        hold <job_list>          keep jobs from starting (uhold too)
        ping                     whether the daemon is there
        reconfigure              not here, as create, delete, resume, shutdown, suspend, write
        release <job_list>       let them start
        requeue <job_list>       stop jobs and let them wait again
        requeuehold <job_list>   the same, and hold them
        show <ENTITY> [<ID>]     job, step, node, partition, config, daemons, hostnames, hostlist
        update JobId=<ID> <KEY>=<VALUE>…  change a job
        version                  the version of Slurm that this is like
        !!                       the last one again
      """;

  /** What is done to some jobs. */
  private interface Change {
    ApiRequest<List<Done>> of(List<JobRef> jobs);
  }

  /** What every one of Slurm's commands says of a number that is none. */
  static Refused noSuchJob() {
    return new Refused(NO_SUCH_JOB);
  }

  private static int run(Call call, Given given) throws BadInput, Refused {
    List<String> words = given.words();
    String command = words.isEmpty() ? "" : words.getFirst().toLowerCase(Locale.ROOT);
    List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
    return switch (command) {
      case "show" -> new ScontrolShow(call, given).run(rest);
      case "hold", "uhold" -> each(call, rest, Hold::new);
      case "release" -> each(call, rest, jobs -> new Release(jobs, Optional.empty()));
      case "requeue" -> requeue(call, rest);
      case "requeuehold" -> each(call, rest, jobs -> new Requeue(jobs, true));
      case "update" -> update(call, rest);
      case "ping" -> call.say("Slurmctld(primary) at " + call.host() + " is UP\n");
      // A job is seen as over when its last process is gone, and has no state between.
      case "completing" -> 0;
      case "version" -> call.say("slurm " + SlurmJob.SLURM + "\n");
      case "help" -> call.say(COMMANDS);
      case "" -> interactive(call, given);
      case "suspend", "resume", "reconfigure", "shutdown", "create", "delete", "write" ->
          throw new Refused("gflow has no scontrol " + command + " (scontrol --help)");
      default -> throw new Refused("invalid keyword: " + command);
    };
  }

  /** Without a word it asks for them, a line at a time, until {@code exit} or the end. */
  private static int interactive(Call call, Given given) throws Refused {
    String last = "";
    int code = 0;
    try (var dialog = new Dialog(call)) {
      for (var line = dialog.ask(PROMPT); line.isPresent(); line = dialog.ask(PROMPT)) {
        last = line.get().equals("!!") ? last : line.get();
        List<String> words = last.isEmpty() ? List.of() : List.of(last.split("\\s+", -1));
        if (List.of("exit", "quit", "q", "e").contains(last)) {
          return code;
        }
        code = words.isEmpty() ? code : COMMAND.run(call, new Given(given.byName(), words));
      }
    }
    call.line("");
    return code;
  }

  /** {@code requeue incomplete 42}: what is over of the array stays as it is, without a word. */
  private static int requeue(Call call, List<String> words) throws BadInput, Refused {
    boolean incomplete = !words.isEmpty() && words.getFirst().equalsIgnoreCase("incomplete");
    List<String> which = incomplete ? words.subList(1, words.size()) : words;
    return each(call, which, jobs -> new Requeue(jobs, false), incomplete);
  }

  private static int each(Call call, List<String> words, Change change) throws Refused {
    return each(call, words, change, false);
  }

  /** {@code mayBeOver}: of what is not changed not a word is said. */
  private static int each(Call call, List<String> words, Change change, boolean mayBeOver)
      throws Refused {
    if (words.isEmpty()) {
      throw new Refused("too few arguments for this command");
    }
    int code = 0;
    for (String word : words) {
      // Slurm takes a job's name too, as in jobname=train.
      code = Math.max(code, each(call, refs(word), word, change, mayBeOver));
    }
    return code;
  }

  private static int each(
      Call call, List<JobRef> refs, String word, Change change, boolean mayBeOver) throws Refused {
    Answer<List<Done>> answer = call.gflow().ask(change.of(refs));
    if (answer instanceof Answer.No<List<Done>>(var kind, String line)) {
      if (kind == Answer.Kind.NO_DAEMON) {
        throw new Refused(line, kind.exitCode());
      }
      call.output().problem(slurms(line, word));
      return 1;
    }
    int code = 0;
    for (Done done : Call.get(answer)) {
      if (!done.changed() && !mayBeOver) {
        call.output().problem("job " + done.job() + " " + done.text());
        code = 1;
      }
    }
    return code;
  }

  private static String slurms(String line, String word) {
    return line.startsWith("there is no job ") ? "Invalid job id specified for job " + word : line;
  }

  private static List<JobRef> refs(String word) throws Refused {
    return refs(word, "Invalid job id specified for job " + word);
  }

  /** Refused with that line if it is no id. */
  static List<JobRef> refs(String word, String line) throws Refused {
    try {
      return JobRefs.list(word);
    } catch (BadInput e) {
      throw new Refused(line);
    }
  }

  /** {@code ArrayTaskThrottle 2} is {@code ArrayTaskThrottle=2}. */
  private static List<String> joined(List<String> words) {
    var joined = new ArrayList<String>();
    for (int i = 0; i < words.size(); i++) {
      boolean apart = words.get(i).indexOf('=') < 0 && i + 1 < words.size();
      joined.add(apart ? words.get(i) + "=" + words.get(++i) : words.get(i));
    }
    return joined;
  }

  private static int update(Call call, List<String> words) throws BadInput, Refused {
    var jobs = new ArrayList<JobRef>();
    var others = new ArrayList<String>();
    String named = "";
    for (String word : joined(words)) {
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
        call, jobs, named, some -> new Update(some, changes, call.invocation().key()), false);
  }
}
