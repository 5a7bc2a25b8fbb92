package gflow.cli.job;

import gflow.api.Gflow.LogPlace;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the tasks of a group's roles have written, each into a file of its own. */
final class RoleLogs {
  private static final Pattern REST = Pattern.compile("([A-Za-z0-9_-]+)\\.\\d+\\.log");
  private static final int MOST = 1_000_000;

  private RoleLogs() {}

  /** Empty if no role was named. */
  static Optional<Path> find(JobRef job, LogPlace place, Given given) throws BadInput, Refused {
    Optional<String> role = given.value("role");
    if (role.isEmpty()) {
      if (given.has("task")) {
        throw new BadInput("--task is one of a role's; add --role ROLE");
      }
      return Optional.empty();
    }
    int task = given.read("task", text -> ArgumentWords.number("--task", text, 0, MOST)).orElse(0);
    if (place.roles().isEmpty()) {
      throw new Refused("job " + job + " is no group, so it has no roles");
    }
    Path log = Path.of(place.roles().get() + role.get() + "." + task + ".log");
    if (!Files.exists(log)) {
      throw new Refused(
          "role %s of job %s has no log of task %d%s"
              .formatted(role.get(), job, task, others(log.getParent(), place.roles().get())));
    }
    return Optional.of(log);
  }

  private static String others(Path folder, String start) {
    var names = new TreeSet<String>();
    String first = start.substring(start.lastIndexOf('/') + 1);
    String[] files = folder.toFile().list();
    for (String file : files == null ? new String[0] : files) {
      Matcher rest = REST.matcher(file.startsWith(first) ? file.substring(first.length()) : "");
      if (rest.matches()) {
        names.add(rest.group(1));
      }
    }
    return names.isEmpty() ? "" : "; there are logs of " + String.join(", ", names);
  }
}
