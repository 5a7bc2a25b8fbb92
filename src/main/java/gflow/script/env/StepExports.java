package gflow.script.env;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** Which variables of the caller a step does not get, and which it gets besides. */
public record StepExports(List<String> dropped, SequencedMap<String, String> set) {
  public StepExports {
    dropped = List.copyOf(dropped);
    set = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(set));
  }

  /** These as the caller has them. */
  public StepExports with(Environment caller, List<String> names) {
    var all = new LinkedHashMap<>(set);
    names.forEach(name -> caller.value(name).ifPresent(value -> all.put(name, value)));
    return new StepExports(dropped, all);
  }

  public Environment apply(Environment caller) {
    return caller.keep(name -> !dropped.contains(name)).with(set);
  }
}
