package gflow.job;

import static gflow.job.Jobs.T0;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Lifecycle.Action;
import gflow.job.Lifecycle.Transition;
import gflow.job.TaskState.Cause;
import gflow.job.TaskState.Completing;
import gflow.job.TaskState.Ended;
import gflow.job.TaskState.Exited;
import gflow.job.TaskState.Pending;
import gflow.job.TaskState.Running;
import gflow.job.TaskState.Starting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every state with every event. The table is also what {@code docs/states.md} shows; {@code
 * -Dgolden.write=true} writes that anew.
 */
class LifecycleTest {
  private static final Instant KILL_AT = T0.plusSeconds(123);
  private static final Instant NOW = T0.plusSeconds(100);
  private static final Lifecycle.Rules PLAIN = rules("", false);
  private static final Attempt ATTEMPT = Jobs.attempt(2, 0);
  private static final Attempt THERE =
      new Attempt(2, Jobs.NOTHING, T0, new Where.There("cluster", "811"));
  private static final Exited WELL = exited(Exit.OK, false);
  private static final Exited BADLY = exited(Exit.code(3), false);
  private static final Exited NO_MEMORY = exited(Exit.signal(9), true);
  private static final Exited NO_GPU_MEMORY =
      exited(Exit.code(1), false).told(Optional.of(Failure.GPU_MEMORY));

  /** In the second of its attempts, with one retry left after these ends. */
  private static Lifecycle.Rules rules(String words, boolean shared) {
    List<RetryOn> on =
        words.isEmpty()
            ? List.of()
            : Stream.of(words.split(",")).map(w -> RetryOn.of(w).orElseThrow()).toList();
    return new Lifecycle.Rules(
        NOW,
        KILL_AT,
        new RetryRules(2, 2, on, true),
        new Lifecycle.GpuCompany(shared, Optional.empty()));
  }

  private static Exited exited(Exit exit, boolean outOfMemory) {
    return new Exited(exit, Usage.UNKNOWN, outOfMemory, NOW);
  }

  static Map<String, TaskState> states() {
    var states = new LinkedHashMap<String, TaskState>();
    states.put("Pending", new Pending(2));
    states.put("Starting", new Starting(ATTEMPT));
    states.put(
        "Starting there",
        new Starting(new Attempt(2, Jobs.NOTHING, T0, new Where.There("cluster", ""))));
    states.put("Queued", new TaskState.Queued(THERE));
    states.put("Running", new Running(ATTEMPT));
    states.put("Completing, ended well", completing(new Cause.ProgramEnded(), Optional.of(WELL)));
    states.put("Completing, failed", completing(new Cause.ProgramEnded(), Optional.of(BADLY)));
    states.put("Completing, cancelled", completing(new Cause.Cancelled("ben"), Optional.empty()));
    states.put(
        "Completing, requeued", completing(new Cause.Requeued("ben", false), Optional.empty()));
    states.put("Completing, time limit", completing(new Cause.TimeLimit(), Optional.empty()));
    states.put(
        "Completing, GPU memory", completing(new Cause.GpuMemory("uses 2G"), Optional.empty()));
    states.put("Ended", Jobs.ended(JobState.COMPLETED, Exit.OK));
    return states;
  }

  private static Completing completing(Cause cause, Optional<Exited> exit) {
    return new Completing(ATTEMPT, cause, exit, T0.plusSeconds(90));
  }

  static Map<String, TaskEvent> events() {
    var events = new LinkedHashMap<String, TaskEvent>();
    events.put("Start", new TaskEvent.Start(Jobs.NOTHING, new Where.Here("boot"), NOW));
    events.put("Queued", new TaskEvent.Queued("811", NOW));
    events.put("Spawned", new TaskEvent.Spawned(NOW));
    events.put("NeverRan, again", new TaskEvent.NeverRan(TaskEvent.Blame.NOBODY, "no lock", NOW));
    events.put("NeverRan", new TaskEvent.NeverRan(TaskEvent.Blame.JOB, "no folder", NOW));
    events.put("ProgramEnded 0, whole", new TaskEvent.ProgramEnded(WELL, true));
    events.put("ProgramEnded 3, whole", new TaskEvent.ProgramEnded(BADLY, true));
    events.put("ProgramEnded out of memory, whole", new TaskEvent.ProgramEnded(NO_MEMORY, true));
    events.put(
        "ProgramEnded out of GPU memory, whole", new TaskEvent.ProgramEnded(NO_GPU_MEMORY, true));
    events.put("ProgramEnded 3", new TaskEvent.ProgramEnded(BADLY, false));
    events.put("Gone", new TaskEvent.Gone(NOW));
    events.put("Cancel", new TaskEvent.Cancel("anna", NOW));
    events.put("Requeue", new TaskEvent.Requeue("anna", true, NOW));
    events.put("TimeUp", new TaskEvent.TimeUp(NOW));
    events.put("GpuMemoryExceeded", new TaskEvent.GpuMemoryExceeded("uses 2G", NOW));
    events.put("KillDue", new TaskEvent.KillDue(NOW));
    events.put("Lost", new TaskEvent.Lost("no power", NOW));
    return events;
  }

  @ParameterizedTest(name = "{0} × {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Pending  | Start                             | Starting 2           | LAUNCH
          Pending  | Cancel                            | CANCELLED 0          | NOTHING
          Starting | Spawned                           | Running 2            | NOTHING
          Starting there | Queued                      | Queued 2             | NOTHING
          Queued   | Spawned                           | Running 2            | NOTHING
          Queued   | NeverRan, again                   | Pending 3, spared    | DISCARD
          Queued   | NeverRan                          | FAILED 1             | DISCARD
          Queued   | ProgramEnded 0, whole             | COMPLETED 0          | DISCARD
          Queued   | Cancel                            | Completing cancelled | TERMINATE
          Queued   | Requeue                           | Completing requeued, held | TERMINATE
          Queued   | Lost                              | NODE_FAIL 1          | DISCARD
          Starting | NeverRan, again                   | Pending 3, spared    | DISCARD
          Starting | NeverRan                          | FAILED 1             | DISCARD
          Starting | ProgramEnded 0, whole             | COMPLETED 0          | DISCARD
          Starting | ProgramEnded 3, whole             | FAILED 3             | DISCARD
          Starting | ProgramEnded out of memory, whole | OUT_OF_MEMORY 137    | DISCARD
          Starting | ProgramEnded 3                    | Completing ended 3   | TERMINATE
          Starting | Cancel                            | Completing cancelled | TERMINATE
          Starting | Requeue                           | Completing requeued, held | TERMINATE
          Starting | TimeUp                            | Completing timed out | TERMINATE
          Starting | Lost                              | NODE_FAIL 1          | DISCARD
          Running  | ProgramEnded 0, whole             | COMPLETED 0          | DISCARD
          Running  | ProgramEnded 3, whole             | FAILED 3             | DISCARD
          Running  | ProgramEnded out of memory, whole | OUT_OF_MEMORY 137    | DISCARD
          Running  | ProgramEnded out of GPU memory, whole | FAILED 1         | DISCARD
          Running  | ProgramEnded 3                    | Completing ended 3   | TERMINATE
          Running  | Cancel                            | Completing cancelled | TERMINATE
          Running  | Requeue                           | Completing requeued, held | TERMINATE
          Running  | TimeUp                            | Completing timed out | TERMINATE
          Running  | NeverRan, again                   | Pending 3, spared    | DISCARD
          Running  | NeverRan                          | FAILED 1             | DISCARD
          Running  | Lost                              | NODE_FAIL 1          | DISCARD
          Completing, ended well | ProgramEnded 0, whole | COMPLETED 0        | DISCARD
          Completing, ended well | Gone                | COMPLETED 0          | DISCARD
          Completing, ended well | NeverRan            | COMPLETED 0          | DISCARD
          Completing, ended well | Lost                | COMPLETED 0          | DISCARD
          Completing, ended well | KillDue             | Completing ended 0   | KILL
          Completing, failed     | Gone                | FAILED 3             | DISCARD
          Completing, failed     | Cancel              | Completing cancelled 3 | NOTHING
          Completing, failed     | KillDue             | Completing ended 3   | KILL
          Completing, cancelled  | ProgramEnded 0, whole | CANCELLED 0        | DISCARD
          Completing, cancelled  | ProgramEnded 3      | Completing cancelled 3 | NOTHING
          Completing, cancelled  | Gone                | CANCELLED 137        | DISCARD
          Completing, cancelled  | NeverRan, again     | CANCELLED 0          | DISCARD
          Completing, cancelled  | NeverRan            | CANCELLED 0          | DISCARD
          Completing, requeued   | ProgramEnded 3, whole | Pending 3, spared  | DISCARD
          Completing, requeued   | Gone                | Pending 3, spared    | DISCARD
          Completing, requeued   | Cancel              | Completing cancelled | NOTHING
          Completing, time limit | NeverRan            | TIMEOUT 0            | DISCARD
          Completing, cancelled  | KillDue             | Completing cancelled | KILL
          Completing, cancelled  | Lost                | CANCELLED 137        | DISCARD
          Completing, time limit | ProgramEnded 3, whole | TIMEOUT 3          | DISCARD
          Completing, time limit | Gone                | TIMEOUT 137          | DISCARD
          Completing, time limit | KillDue             | Completing timed out | KILL
          """)
  void each_change_is_the_one_that_is_meant(String state, String event, String to, String action) {
    Transition transition = next(state, event);

    assertThat(text(transition)).isEqualTo(to);
    assertThat(transition.action()).isEqualTo(Action.valueOf(action));
  }

  @ParameterizedTest(name = "{0} ignores {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Pending                | Requeue
          Completing, ended well | Requeue
          Completing, cancelled  | Requeue
          Completing, requeued   | Start, Spawned, Requeue, TimeUp
          Ended                  | Requeue
          Pending                | Spawned, NeverRan, ProgramEnded, Gone, TimeUp, KillDue, Lost
          Starting               | Start, Queued, Gone, KillDue
          Queued                 | Start, Queued, Gone, KillDue, TimeUp
          Running                | Start, Queued, Spawned, Gone, KillDue
          Completing, ended well | Start, Spawned, Cancel, TimeUp
          Completing, failed     | Start, Spawned, TimeUp
          Completing, cancelled  | Start, Spawned, Cancel, TimeUp
          Completing, time limit | Start, Spawned, Cancel, TimeUp
          Ended                  | Start, Spawned, NeverRan, ProgramEnded, Gone, Cancel
          Ended                  | TimeUp, KillDue, Lost
          """)
  void late_and_repeated_events_change_nothing(String state, String ignored) {
    List<String> kinds = List.of(ignored.split(", "));
    events()
        .forEach(
            (name, event) -> {
              if (kinds.contains(event.getClass().getSimpleName())) {
                Transition transition = next(state, name);
                assertThat(transition.state()).as(name).isEqualTo(states().get(state));
                assertThat(transition.action()).as(name).isEqualTo(Action.NOTHING);
              }
            });
  }

  @ParameterizedTest(name = "{0}, retry on {1}, shared {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ProgramEnded 3, whole                 | fail         | false | Pending 3 in 2 s
          ProgramEnded 3, whole                 | oom,timeout,node | false | FAILED 3
          ProgramEnded out of memory, whole     | oom          | false | Pending 3 in 2 s
          ProgramEnded out of memory, whole     | fail         | true  | OUT_OF_MEMORY 137
          ProgramEnded out of GPU memory, whole | fail,oom     | false | FAILED 1
          ProgramEnded out of GPU memory, whole | node         | true  | Pending 3, spared, alone
          NeverRan                              | fail         | false | Pending 3 in 2 s
          ProgramEnded 0, whole                 | fail,node    | false | COMPLETED 0
          Lost                                  | node         | false | Pending 3, spared
          Lost                                  | fail         | false | NODE_FAIL 1
          """)
  void after_its_end_it_may_be_tried_again(String event, String words, boolean shared, String to) {
    Transition transition =
        Lifecycle.next(states().get("Running"), events().get(event), rules(words, shared));

    assertThat(text(transition)).isEqualTo(to);
    assertThat(transition.over()).isPresent();
  }

  @Test
  void after_its_time_limit_it_is_tried_again_if_it_said_so_and_nobody_cancels_it() {
    var ending = states().get("Completing, time limit");
    var gone = events().get("Gone");

    assertThat(text(Lifecycle.next(ending, gone, rules("timeout", false))))
        .isEqualTo("Pending 3 in 2 s");
    assertThat(text(Lifecycle.next(ending, gone, rules("fail", false)))).isEqualTo("TIMEOUT 137");
    assertThat(text(Lifecycle.next(ending, events().get("Cancel"), rules("timeout", false))))
        .isEqualTo("Completing cancelled");
  }

  @Test
  void the_words_say_why_no_other_try_would_help() {
    var gpu = new Allocation.GpuGrant(new GpuId("GPU-2"), 2, GpuPart.WHOLE, 9);
    var given = new Allocation(List.of(gpu), Ranges.EMPTY, 0);
    var running = new Running(new Attempt(2, given, T0, ATTEMPT.where()));
    var event = events().get("ProgramEnded out of GPU memory, whole");

    assertThat(note(Lifecycle.next(running, event, rules("oom", false))))
        .isEqualTo("out of GPU memory, alone on GPU 2: it would not fit the next time either");
    assertThat(note(Lifecycle.next(running, event, rules("", true))))
        .isEqualTo("out of GPU memory on GPU 2, which it shared");
  }

  @ParameterizedTest
  @CsvSource({"XID 79 on GPU 2, false, GPU_FAULT", "XID 31 on GPU 2, true, EXIT_CODE"})
  void an_error_of_a_gpu_is_the_cause_unless_programs_make_it(
      String text, boolean programs, Failure cause) {
    var company = new Lifecycle.GpuCompany(false, Optional.of(new GpuFault(text, programs)));
    var rules = new Lifecycle.Rules(NOW, KILL_AT, PLAIN.retries(), company);
    var running = new Running(ATTEMPT);
    var over = Lifecycle.next(running, events().get("ProgramEnded 3, whole"), rules).over();
    assertThat(over.orElseThrow().cause()).contains(cause);
    assertThat(over.orElseThrow().note()).isEqualTo(text);
  }

  private static String note(Transition transition) {
    return transition.over().orElseThrow().note();
  }

  @Test
  void pauses_grow_to_a_minute() {
    assertThat(IntStream.of(1, 2, 3, 6, 7, 1000).mapToObj(RetryRules::pause))
        .extracting(Duration::toSeconds)
        .containsExactly(1L, 2L, 4L, 32L, 60L, 60L);
  }

  @Test
  void who_is_requeued_held_waits_until_it_is_released() {
    var ending = completing(new Cause.Requeued("ben", true), Optional.empty());

    Transition transition = Lifecycle.next(ending, events().get("Gone"), PLAIN);
    assertThat(text(transition)).isEqualTo("Pending 3, spared, held");
    assertThat(transition.over().orElseThrow().state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void the_time_of_one_that_waited_elsewhere_begins_when_it_begins_there() {
    var begun = (Running) next("Queued", "Spawned").state();

    assertThat(begun.attempt().startedAt()).isEqualTo(NOW);
    assertThat(begun.attempt().where()).isEqualTo(new Where.There("cluster", "811"));
    assertThat(next("Starting there", "Queued").state()).isEqualTo(new TaskState.Queued(THERE));
  }

  @Test
  void a_clock_that_was_set_back_gives_nobody_more_time() {
    var decided = new Attempt(2, Jobs.NOTHING, NOW.plusSeconds(1300), THERE.where());
    var spawned = new TaskEvent.Spawned(NOW.minusSeconds(5));
    var begun = (Running) Lifecycle.next(new TaskState.Queued(decided), spawned, PLAIN).state();

    assertThat(begun.attempt().startedAt()).isEqualTo(NOW);
  }

  @Test
  void no_end_is_in_the_future_nor_before_its_start() {
    var future = new TaskEvent.Lost("no power", NOW.plusSeconds(1000));
    var past = new TaskEvent.Lost("no power", T0.minusSeconds(1000));

    assertThat(Lifecycle.next(states().get("Running"), future, PLAIN).over().get().endedAt())
        .isEqualTo(NOW);
    assertThat(Lifecycle.next(states().get("Running"), past, PLAIN).over().get().endedAt())
        .isEqualTo(NOW);
  }

  @Test
  void the_grace_time_counts_from_the_signal() {
    var cancelled = (Completing) next("Running", "Cancel").state();
    var killed = (Completing) next("Completing, cancelled", "KillDue").state();
    var left = (Completing) next("Running", "ProgramEnded 3").state();

    assertThat(cancelled.killAt()).isEqualTo(KILL_AT);
    assertThat(killed.killAt()).isEqualTo(KILL_AT);
    assertThat(left.killAt()).isEqualTo(KILL_AT);
  }

  @Test
  void an_end_removes_the_files_of_its_attempt() {
    for (TaskState state : states().values()) {
      for (TaskEvent event : events().values()) {
        Transition transition = Lifecycle.next(state, event, PLAIN);
        if (transition.state() instanceof Ended e && !(state instanceof Ended)) {
          Action expected = e.attempt().isPresent() ? Action.DISCARD : Action.NOTHING;
          assertThat(transition.action()).isEqualTo(expected);
        }
      }
    }
  }

  private static Transition next(String state, String event) {
    return Lifecycle.next(states().get(state), events().get(event), PLAIN);
  }

  static String text(Transition transition) {
    RetryRules.Again again = transition.again();
    return text(transition.state())
        + (again.spared() ? ", spared" : "")
        + (again.held() ? ", held" : "")
        + (again.alone() ? ", alone" : "")
        + again
            .notBefore()
            .map(at -> " in " + at.minusSeconds(NOW.getEpochSecond()).getEpochSecond() + " s")
            .orElse("");
  }

  /** The state in a word or two, with what it holds of attempt or exit. */
  static String text(TaskState state) {
    return switch (state) {
      case Pending(int next) -> "Pending " + next;
      case Starting(Attempt a) -> "Starting " + a.number();
      case TaskState.Queued(Attempt a) -> "Queued " + a.number();
      case Running(Attempt a) -> "Running " + a.number();
      case Completing c ->
          "Completing " + why(c.cause()) + c.exit().map(e -> " " + e.exit().status()).orElse("");
      case Ended(var attempt, Outcome o) -> o.state() + " " + o.exit().status();
    };
  }

  private static String why(Cause cause) {
    return switch (cause) {
      case Cause.ProgramEnded() -> "ended";
      case Cause.Cancelled(String by) -> "cancelled";
      case Cause.Requeued(String by, boolean held) -> held ? "requeued, held" : "requeued";
      case Cause.TimeLimit() -> "timed out";
      case Cause.GpuMemory(String words) -> "too large for its GPU";
    };
  }

  @Test
  void the_page_of_states_is_what_the_code_does() throws IOException {
    Path page = Path.of("docs", "states.md");
    var rules = new LinkedHashMap<String, Lifecycle.Rules>();
    rules.put("", PLAIN);
    rules.put(", retries left", rules("fail,oom,timeout", false));
    rules.put(", `--requeue`", rules("node,preempt", false));
    rules.put(", on a shared GPU", rules("", true));
    String text = new StatesPage(states(), events(), rules).text();
    if (Boolean.getBoolean("golden.write")) {
      Files.createDirectories(page.getParent());
      Files.writeString(page, text);
    }
    assertThat(page).as("-Dgolden.write=true writes it").content().isEqualTo(text);
  }

  @Test
  void every_kind_of_event_and_state_is_in_the_table() {
    var seen = new ArrayList<Class<?>>();
    states().values().forEach(s -> seen.add(s.getClass()));
    events().values().forEach(e -> seen.add(e.getClass()));
    assertThat(seen)
        .contains(TaskState.class.getPermittedSubclasses())
        .contains(TaskEvent.class.getPermittedSubclasses());
  }
}
