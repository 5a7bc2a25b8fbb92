package gflow.job;

import gflow.job.Lifecycle.Action;
import gflow.job.Lifecycle.Transition;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** The life of a task as a page: a diagram and the whole table, from what the code does. */
record StatesPage(
    Map<String, TaskState> states,
    Map<String, TaskEvent> events,
    Map<String, Lifecycle.Rules> rules) {
  String text() {
    return """
    # The states of a task

    Written by `LifecycleTest` from `Lifecycle.next`; do not edit
    (`mvn test -Dtest=LifecycleTest -Dgolden.write=true` writes it anew).
    What is not in the table changes nothing: events may come late or twice. *Spared*: the attempt
    does not count against `--retries`. *Alone*: the next one has GPUs that nobody else has.
    *Retries left*: with `--retry-on fail,oom,timeout`, after its second try. *There*: with an
    engine that has a queue of its own, as a cluster has; *Queued*: it waits in that.

    ```mermaid
    stateDiagram-v2
      [*] --> Pending
    %s  Ended --> [*]
    ```

    | state | event | next | to do |
    |---|---|---|---|
    %s\
    """
        .formatted(arrows(), rows());
  }

  private interface Seen {
    void change(String from, TaskState state, String name, TaskEvent event, Transition transition);
  }

  /** With each of the rules; those after the first only where they make a difference. */
  private void forEach(Seen seen) {
    Lifecycle.Rules plain = rules.values().iterator().next();
    states.forEach(
        (from, state) ->
            events.forEach(
                (name, event) ->
                    rules.forEach(
                        (which, rule) -> {
                          Transition transition = Lifecycle.next(state, event, rule);
                          boolean same = transition.equals(Lifecycle.next(state, event, plain));
                          if (!transition.state().equals(state) && (rule.equals(plain) || !same)) {
                            seen.change(from, state, name + which, event, transition);
                          }
                        })));
  }

  private String arrows() {
    var arrows = new TreeSet<String>();
    forEach(
        (_, state, _, event, transition) ->
            arrows.add(
                "  %s --> %s : %s"
                    .formatted(
                        kind(state), kind(transition.state()), event.getClass().getSimpleName())));
    return String.join("\n", arrows) + "\n";
  }

  private static String kind(TaskState state) {
    return state.getClass().getSimpleName();
  }

  private String rows() {
    var rows = new StringBuilder();
    forEach((from, _, name, _, transition) -> rows.append(row(from, name, transition)));
    return rows.toString();
  }

  private static String row(String from, String event, Transition transition) {
    String todo = transition.action() == Action.NOTHING ? "" : transition.action().name();
    String next = LifecycleTest.text(transition);
    return "| %s | %s | %s | %s |%n"
        .formatted(from, event, next, todo.toLowerCase(Locale.ROOT))
        .replace("\r", "");
  }
}
