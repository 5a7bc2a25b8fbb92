package gflow.group;

import gflow.script.group.Role;
import gflow.script.value.Templates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/** A role as the words of {@code grun}: each is a step of the job, named as the role. */
record RoleWords(Role role, GroupParent.Setting setting) {
  /** What is the same for all of its tasks, and so is known here. */
  SequencedMap<String, String> fields() {
    var fields = new LinkedHashMap<String, String>();
    fields.put("role", role.name());
    fields.put("ntasks", Integer.toString(role.tasks().count()));
    fields.put("tmp", setting.tmp());
    fields.put("job", setting.variable("GFLOW_JOB_ID"));
    fields.put("port", setting.variable("GFLOW_PORT"));
    if (role.tasks().count() == 1) {
      fields.put("task", "0");
    }
    return fields;
  }

  List<String> words() {
    List<String> program = program();
    Role.Tasks tasks = role.tasks();
    var words = new ArrayList<>(List.of(setting.launcher(), "run", "--job-name=" + role.name()));
    words.add("--ntasks=" + tasks.count());
    words.addAll(
        tasks.apart() ? List.of("--exact", "--mem=0") : List.of("--overlap", "--overcommit"));
    if (tasks.cpus().isPresent()) {
      words.add("--cpus-per-task=" + tasks.cpus().getAsInt());
    } else if (tasks.apart()) {
      words.add("--overcommit");
    }
    if (tasks.gpus().isPresent()) {
      int gpus = tasks.gpus().getAsInt();
      words.add(gpus == 0 ? "--gres=none" : "--gpus=" + gpus);
    } else if (tasks.apart()) {
      words.add("--gres=none");
    }
    if (tasks.spread()) {
      words.add("--spread");
    } else if (program.stream().anyMatch(word -> word.matches("(?s).*\\{(task|gpu)\\}.*"))) {
      words.add("--fill");
    }
    if (tasks.retries() > 0) {
      words.add("--task-retries=" + tasks.retries());
    }
    if (tasks.count() > 1) {
      words.add("--tally=" + tally());
      words.add("--stagger=" + tasks.stagger().toMillis() + "ms");
    }
    words.add("--output=" + output());
    role.runs().input().ifPresent(file -> words.add("--input=" + pattern(file)));
    role.runs().chdir().ifPresent(folder -> words.add("--chdir=" + filled(folder)));
    words.add("--");
    words.addAll(program);
    return words;
  }

  /** Variables come by a program that sets them: their values may have fields too. */
  private List<String> program() {
    var words = new ArrayList<String>();
    if (!role.runs().env().isEmpty()) {
      words.add("/usr/bin/env");
      words.addAll(role.runs().env());
    }
    words.addAll(role.runs().words());
    words.replaceAll(this::filled);
    return words;
  }

  private String filled(String text) {
    return Templates.apply(text, fields());
  }

  /** Names of files have the tasks' numbers by the patterns of steps. */
  private String pattern(String text) {
    return filled(text.replace("{task}", "%t"));
  }

  private String output() {
    return role.runs()
        .output()
        .map(this::pattern)
        .orElseGet(() -> log().replace("%", "%%") + ".%t.log");
  }

  private String log() {
    return setting.logs() + role.name();
  }

  Path log(int task) {
    return Path.of(log() + "." + task + ".log");
  }

  /** Where the file of a task is if its name is not ours, so that it can be found like ours. */
  Optional<Path> named(int task) {
    return role.runs()
        .output()
        .filter(file -> file.indexOf('%') < 0)
        .map(file -> filled(file.replace("{task}", Integer.toString(task))))
        .map(Path.of(setting.folder())::resolve);
  }

  /** Tasks that ended well are counted there. */
  Path tally() {
    return setting.file().resolveSibling("role-" + role.name());
  }
}
