package gflow.script;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** Which variables of the caller a step does not get, and which it gets besides. */
record StepExports(List<String> dropped, SequencedMap<String, String> set) {
  StepExports {
    dropped = List.copyOf(dropped);
    set = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(set));
  }

  /** These as the caller has them. */
  StepExports with(Environment caller, List<String> names) {
    var all = new LinkedHashMap<>(set);
    names.forEach(name -> caller.value(name).ifPresent(value -> all.put(name, value)));
    return new StepExports(dropped, all);
  }

  Environment apply(Environment caller) {
    return caller.keep(name -> !dropped.contains(name)).with(set);
  }
}
