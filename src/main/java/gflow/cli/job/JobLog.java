package gflow.cli.job;

import gflow.api.ApiRequest.Log;
import gflow.api.Gflow.LogPlace;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.LogTail;
import gflow.cli.frame.Pauses;
import gflow.cli.frame.Refused;
import gflow.cli.frame.UserFiles;
import gflow.job.JobRef;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code gjob log}: what a job has written, and with {@code -f} what it goes on to write. */
public final class JobLog {
  private static final Duration PAUSE = Duration.ofMillis(100);
  public static final Command COMMAND =
      Command.of(
          "gjob log",
          "ID [-f] [-n LINES] [--err]",
          "Prints what a job has written. For a task of an array write 42_7.",
          List.of(
              Opt.flag("follow", "f", "go on until the job is over"),
              Opt.value("lines", "n", "LINES", "only the last lines"),
              Opt.value("role", "", "ROLE", "of a group: what this role has written"),
              Opt.value("task", "", "N", "which of the role's tasks (0)"),
              Opt.flag("err", "e", "its stderr, where that has a file of its own").alias("error"),
              Opt.flag("path", "", "print only where the log is"),
              Opt.HELP),
          JobLog::run);

  private JobLog() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    JobRef job = ArgumentWords.job(given);
    Optional<Integer> lines =
        given.read("lines", text -> ArgumentWords.number("--lines", text, 0, Integer.MAX_VALUE));
    LogPlace place = call.ask(new Log(job));
    Optional<Path> role = RoleLogs.find(job, place, given);
    Path path = role.isPresent() ? role.get() : path(job, place, given.has("err"));
    if (given.has("path")) {
      return call.say(path + "\n");
    }
    if (place.oneOf().isPresent()) {
      call.problem(
          "%s is an array with the tasks %s; this is its first one (gjob log %s_N)"
              .formatted(job, place.oneOf().get(), job));
    }
    if (!given.has("follow") && !place.over() && !Files.exists(path)) {
      throw new Refused("job " + job + " has written nothing yet (gjob log -f waits for it)");
    }
    try (var tail = new LogTail(path)) {
      if (lines.isPresent()) {
        tail.skipToLast(lines.get());
      }
      if (given.has("follow")) {
        follow(call, job, tail);
      } else {
        drain(call, tail);
      }
      return call.say(tail.rest());
    } catch (IOException e) {
      throw new Refused("cannot read " + path + ": " + UserFiles.why(e));
    }
  }

  private static Path path(JobRef job, LogPlace place, boolean err) throws Refused {
    if (err && place.errorPath().isEmpty()) {
      throw new Refused("job " + job + " has no file for stderr; it is in the log with stdout");
    }
    return Path.of(err ? place.errorPath().get() : place.path());
  }

  /** Over is asked before the last look, so that nothing written in between is missed. */
  private static void follow(Call call, JobRef job, LogTail tail) throws IOException, Refused {
    boolean goesOn = true;
    while (goesOn) {
      boolean over = call.ask(new Log(job)).over();
      boolean some = drain(call, tail);
      goesOn = call.output().flush() && !over && (some || Pauses.sleep(PAUSE));
    }
  }

  private static boolean drain(Call call, LogTail tail) throws IOException {
    boolean some = false;
    for (var text = tail.next(); text.isPresent(); text = tail.next()) {
      call.output().out(text.get());
      some = true;
      if (!call.output().flush()) {
        return true;
      }
    }
    return some;
  }
}
