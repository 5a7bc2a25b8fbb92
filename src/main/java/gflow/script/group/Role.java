package gflow.script.group;

import gflow.script.value.BadInput;
import gflow.script.value.Templates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/** A part of a group: the server, its clients, a logger. {@code ends}: with it the job ends. */
public record Role(String name, int line, Runs runs, Tasks tasks, Turn turn, boolean ends) {
  private static final String TASK = "task";

  /** Any values that a {@code ready} is checked with before the true ones are known. */
  private static final SequencedMap<String, String> SAMPLE = new LinkedHashMap<>();

  static {
    List.of("port", TASK, "ntasks", "job", "gpu").forEach(name -> SAMPLE.put(name, "1"));
  }

  /** What each of its tasks runs; all may have fields as {@code {task}}. */
  public record Runs(
      List<String> words,
      List<String> env,
      Optional<String> chdir,
      Optional<String> input,
      Optional<String> output) {
    public Runs {
      words = List.copyOf(words);
      env = List.copyOf(env);
    }
  }

  /** How many, and on what: GPUs of the role, CPUs of each task; who dies is tried again. */
  public record Tasks(
      int count,
      boolean spread,
      OptionalInt gpus,
      OptionalInt cpus,
      int retries,
      Duration stagger) {
    /** A part of the job that no other role with a part of its own has. */
    public boolean apart() {
      return gpus.isPresent() || cpus.isPresent();
    }

    public int wholeCpus() {
      return cpus.isPresent() ? (int) Math.min(1 << 24, (long) count * cpus.getAsInt()) : 1;
    }
  }

  /** After whom it starts, and when those after it may; {@code ready} may have fields. */
  public record Turn(List<String> after, List<String> ready, Duration timeout) {
    public Turn {
      after = List.copyOf(after);
      ready = List.copyOf(ready);
    }
  }

  /** What must be there before the next: with {@code {task}}, of each task. */
  public List<Condition> ready(SequencedMap<String, String> fields) throws BadInput {
    var conditions = new ArrayList<Condition>();
    for (String text : turn.ready()) {
      int times = text.contains("{" + TASK + "}") ? tasks.count() : 1;
      for (int task = 0; task < times; task++) {
        var own = new LinkedHashMap<>(fields);
        own.put(TASK, Integer.toString(task));
        conditions.add(Condition.parse(Templates.apply(text, own)));
      }
    }
    return conditions;
  }

  static Condition sample(String text) throws BadInput {
    return Condition.parse(Templates.apply(text, SAMPLE));
  }

  /** The port that stands there as a number. */
  static OptionalInt port(String ready) {
    String digits = ready.startsWith("tcp:") ? ready.substring(ready.lastIndexOf(':') + 1) : "";
    return digits.matches("\\d{1,5}")
        ? OptionalInt.of(Integer.parseInt(digits))
        : OptionalInt.empty();
  }
}
