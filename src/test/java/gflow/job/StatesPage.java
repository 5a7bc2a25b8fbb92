package gflow.job;

import gflow.job.Lifecycle.Action;
import gflow.job.Lifecycle.Step;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** The life of a task as a page: a diagram and the whole table, from what the code does. */
record StatesPage(Map<String, TaskState> states, Map<String, TaskEvent> events, Instant killAt) {
  String text() {
    return """
    # The states of a task

    Written by `LifecycleTest` from `Lifecycle.step`; do not edit
    (`mvn test -Dtest=LifecycleTest -Dgolden.write=true` writes it anew).
    A task that ends as FAILED or OUT_OF_MEMORY goes back to Pending if it has `--retries` left,
    one that ends as NODE_FAIL if it has `--requeue`, and one that was requeued in any case. What
    is not in the table changes nothing: events may come late or twice.

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

  private String arrows() {
    var arrows = new TreeSet<String>();
    states.forEach(
        (from, state) ->
            events.forEach(
                (name, event) -> {
                  Step step = Lifecycle.step(state, event, killAt);
                  if (!step.state().equals(state)) {
                    String label = event.getClass().getSimpleName();
                    arrows.add("  " + kind(state) + " --> " + kind(step.state()) + " : " + label);
                  }
                }));
    return String.join("\n", arrows) + "\n";
  }

  private static String kind(TaskState state) {
    return state.getClass().getSimpleName();
  }

  private String rows() {
    var rows = new StringBuilder();
    states.forEach(
        (from, state) ->
            events.forEach(
                (name, event) -> {
                  Step step = Lifecycle.step(state, event, killAt);
                  if (!step.state().equals(state)) {
                    rows.append(row(from, name, step));
                  }
                }));
    return rows.toString();
  }

  private static String row(String from, String event, Step step) {
    String todo = step.action() == Action.NOTHING ? "" : step.action().name();
    String next = LifecycleTest.text(step.state());
    return "| %s | %s | %s | %s |%n"
        .formatted(from, event, next, todo.toLowerCase(Locale.ROOT))
        .replace("\r", "");
  }
}
