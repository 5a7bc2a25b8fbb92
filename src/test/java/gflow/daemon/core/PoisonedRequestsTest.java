package gflow.daemon.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.api.Answer;
import gflow.api.ContainedBugs;
import gflow.api.GoingDown;
import gflow.daemon.Specs;
import gflow.daemon.core.Problem.Kind;
import gflow.daemon.core.Requests.Request;
import gflow.job.Ranges;
import gflow.plan.UsageLimits;
import gflow.store.Change;
import gflow.store.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the loop had in hand when it broke, and what a request may meet. */
class PoisonedRequestsTest {
  static {
    Logger.getLogger("gflow.bugs").setLevel(Level.OFF);
    Logger.getLogger("gflow.loop").setLevel(Level.OFF);
    Logger.getLogger("gflow.poison").setLevel(Level.OFF);
  }

  @TempDir Path folder;
  private final Problems problems = new Problems(InstantSource.system(), (problem, open) -> {});

  private Requests requests(PoisonedRequests poison) {
    return new Requests(new ContainedBugs(line -> problems.report(Kind.BUG, "", line, "")), poison);
  }

  private PoisonedRequests poison() {
    return new PoisonedRequests(folder.resolve("poison"), problems);
  }

  private static Request request(int word) {
    return new Request("step", () -> List.of("srun", word));
  }

  @Test
  void a_request_that_ended_two_daemons_is_refused_until_somebody_removes_the_file()
      throws Exception {
    poison().died(Set.of(request(1), request(2)));
    poison().check(request(1));
    poison().died(Set.of(request(1)));
    assertThat(problems.lines()).isEmpty();

    PoisonedRequests third = poison();

    assertThat(problems.lines())
        .containsExactly(
            "a request that ended gflowd again and again is refused (rm "
                + folder.resolve("poison")
                + ")");
    third.check(request(2));
    Answer<Integer> answer = requests(third).answer(request(1), () -> 7);
    assertThat(answer.toString()).contains("REFUSED", "has ended gflowd again and again");
    Files.delete(folder.resolve("poison"));
    assertThat(requests(third).answer(request(1), () -> 7)).isEqualTo(Answer.ok(7));
    assertThat(problems.lines()).isEmpty();
  }

  @Test
  void rubbish_in_the_file_harms_nobody() throws Exception {
    Path file = Files.writeString(folder.resolve("poison"), "x\n\nabc 99999999999\n");
    poison().check(request(1));
    Files.write(file, new byte[] {(byte) 0xff, ' ', '9', '\n'});
    poison().check(request(1));
    Files.delete(file);
    Files.createDirectory(file);
    poison().check(request(1));
  }

  @Test
  void a_bug_outside_the_loop_has_a_number_too_and_an_end_of_the_daemon_is_no_bug() {
    Requests requests = requests(poison());

    Answer<Integer> bug = requests.answer(request(1), () -> List.<Integer>of().getFirst());

    assertThat(bug.toString()).contains("INTERNAL", "internal error ");
    assertThat(problems.lines()).singleElement().asString().contains("in step");
    assertThatThrownBy(
            () ->
                requests.answer(
                    request(1),
                    () -> {
                      throw new GoingDown();
                    }))
        .isInstanceOf(GoingDown.class);
  }

  @Test
  void a_loop_that_breaks_says_what_it_had_in_hand() throws Exception {
    var store = new MemoryStore();
    var stock = new Inventory.Stock(List.of(), true, Ranges.firstN(4), 1L << 36, 0, "boot");
    var core =
        new Core(
            new Ledger(store.history()),
            new Inventory(stock, OperatorControls.none(UsageLimits.NONE)),
            Specs.grace(Duration.ZERO),
            Routing.HERE,
            1);
    var heard = new CompletableFuture<Set<Request>>();
    var hooks = new Loop.Hooks(effect -> {}, (c, turn) -> {}, _ -> {}, heard::complete);
    var broken =
        new CommitHooks() {
          @Override
          public void before(String what, List<Change> changes) {
            if (changes.stream().anyMatch(c -> c instanceof Change.Submit)) {
              throw new NoClassDefFoundError("half an installation");
            }
          }

          @Override
          public void after(String what, List<Change> changes) {}
        };
    var scheduler = new TurnRunner(core, store, broken, new ContainedBugs(line -> {}));
    var loop =
        new Loop(scheduler, new Clocks(InstantSource.fixed(Specs.T0), () -> Duration.ZERO), hooks);
    loop.start();

    Request asked = request(1);
    Thread asking =
        Thread.ofVirtual()
            .start(
                () ->
                    requests(poison())
                        .answer(asked, () -> loop.ask((c, now) -> c.submit(Specs.gpus(0), now))));

    assertThat(heard.get()).containsExactly(asked);
    asking.interrupt();
  }
}
