package gflow.same;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes out of what was seen all that only says when, where and by whom. */
final class Normaliser {
  /** Of {@code scontrol show job}: what was asked for and what became of it. */
  private static final List<String> FACTS =
      List.of(
          ("JobName JobState Reason ExitCode Dependency Restarts Requeue TimeLimit Partition"
                  + " NumNodes NumCPUs NumTasks CPUs/Task MinMemoryNode MinMemoryCPU Features"
                  + " Account QOS Comment Nice StdErr StdIn StdOut Command WorkDir TresPerNode"
                  + " TresPerJob TresPerTask OverSubscribe")
              .split(" ", -1));

  /** What most jobs have is not worth a line. */
  private static final Set<String> USUAL =
      Set.of(
          "Dependency=(null)",
          "Restarts=0",
          "Requeue=1",
          "Partition=local",
          "NumNodes=1",
          "Features=(null)",
          "Account=(null)",
          "QOS=(null)",
          "Nice=0",
          "StdIn=/dev/null",
          "WorkDir=DIR",
          "OverSubscribe=OK");

  /** Variables whose values are never twice the same; that they are there is compared. */
  private static final Pattern VOLATILE =
      Pattern.compile(
          "(?m)^((?:\\d+: )?(?:SLURM_\\w*PORT|SLURM_TASK_PID|SLURM_WORKING_CLUSTER|SLURM_CONF"
              + "|SLURM_JOB_(?:START|END)_TIME|SLURM_UMASK|SLURM_JOB_[UG]ID))=.*$");

  /** What a Slurm says now and then: that it was too late or too early. */
  private static final Pattern NOISE =
      Pattern.compile(
          ".*_handle_signal_container.*|srun: Job \\S+ step creation .*|srun: Step created for .*");

  /** Where the copy of the script lies. */
  private static final Pattern SCRIPT =
      Pattern.compile("/\\S*/(?:spool/job\\w+/slurm_script|jobs/[\\w.]+/script)");

  private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d");
  private static final Pattern ID = Pattern.compile("\\b(?:JobId|ArrayJobId)=(\\d+)");

  private final Seen seen;
  private final SequencedMap<String, String> names = new LinkedHashMap<>();
  private static final String TOOLS = Case.HOME.resolve("tools").toAbsolutePath().toString();

  private final String host;
  private final String user = System.getProperty("user.name");

  Normaliser(Seen seen, String host) {
    this.seen = seen;
    this.host = host;
    var families = new TreeMap<String, List<String>>();
    for (String job : seen.jobs()) {
      families.computeIfAbsent(family(job), _ -> new ArrayList<>()).addAll(ids(job));
    }
    int number = 0;
    for (List<String> family : families.values()) {
      String name = "J" + ++number;
      family.forEach(id -> names.put(id, name));
    }
  }

  /** The tasks of an array have one name: which of them has the array's own id is nobody's care. */
  private static String family(String job) {
    return ids(job).getLast();
  }

  private static List<String> ids(String job) {
    return ID.matcher(job).results().map(found -> found.group(1)).toList();
  }

  Answer answer() {
    var sections = new LinkedHashMap<String, List<String>>();
    sections.put("code", List.of(Integer.toString(seen.code())));
    put(sections, "said", seen.out());
    put(sections, "complained", seen.err());
    seen.jobs().stream()
        .sorted(Comparator.comparing(this::name))
        .forEach(job -> sections.put("job " + name(job), facts(job)));
    seen.files().forEach((name, text) -> sections.put("file " + plain(name), lines(text)));
    return new Answer(sections);
  }

  private void put(SequencedMap<String, List<String>> sections, String name, String text) {
    if (!text.isEmpty()) {
      sections.put(name, lines(text));
    }
  }

  private String name(String job) {
    String task = fact(job, "ArrayTaskId");
    return names.get(family(job)) + (task.isEmpty() ? "" : "_" + task);
  }

  private List<String> facts(String job) {
    return FACTS.stream()
        .map(fact -> fact + "=" + plain(fact(job, fact)).strip())
        .filter(fact -> !fact.endsWith("=") && !USUAL.contains(fact))
        .toList();
  }

  private static String fact(String line, String key) {
    Matcher found =
        Pattern.compile("(?:^| )" + Pattern.quote(key) + "=(.*?)(?= [A-Z][\\w/:]*=|\\s*$)")
            .matcher(line);
    return found.find() ? found.group(1) : "";
  }

  private List<String> lines(String text) {
    return plain(text)
        .lines()
        .map(String::stripTrailing)
        .filter(line -> !NOISE.matcher(line).matches())
        .toList();
  }

  private String plain(String text) {
    String plain = text.replace(seen.folder().toString(), "DIR").replace(TOOLS, "TOOLS");
    for (var id : names.entrySet()) {
      plain = plain.replaceAll("(?<!\\d)" + id.getKey() + "(?!\\d)", id.getValue());
    }
    plain = VOLATILE.matcher(plain).replaceAll("$1=...");
    plain = SCRIPT.matcher(plain).replaceAll("SCRIPT");
    plain = plain.replace("slurmstepd-" + host + ":", "slurmstepd:");
    plain = TIME.matcher(plain).replaceAll("TIME");
    plain = plain.replaceAll("(?<![\\w.])" + Pattern.quote(host) + "(?![\\w-])", "HOST");
    return plain.replaceAll("(?<!\\w)" + Pattern.quote(user) + "(?!\\w)", "USER");
  }
}
