package gflow.daemon.core;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.daemon.core.LoanBook.JobGpus;
import gflow.daemon.core.LoanBook.Known;
import gflow.gpu.GpuDevice;
import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobId;
import gflow.job.Loan;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.TaskId;
import gflow.job.Where;
import gflow.plan.Book;
import gflow.plan.Candidate;
import gflow.plan.Holding;
import gflow.plan.Machine;
import gflow.plan.PlanningView;
import gflow.plan.UsageLimits;
import gflow.store.Change;
import gflow.store.MemoryStore;
import gflow.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** GPUs on loan of one attempt: what is committed, what is told and when. */
class LoanBookTest {
  private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
  private static final Owner ANN = new Owner(1000, 100, "ann");
  private static final AttemptId ID = new AttemptId(new TaskId(new JobId(42)), 1);
  private static final StepBook.Home HOME = home();
  private static final Known ITS_OWN = new Known(List.of(0), 0);

  private final UnitOfWork notes = new UnitOfWork();
  private final Ledger ledger = new Ledger(new MemoryStore().history());
  private final LoanBook book = new LoanBook(notes);
  private final Book queue = new Book();

  private static GpuId id(int index) {
    return new GpuId("GPU-" + index);
  }

  private static GpuGrant gpu(int index) {
    return new GpuGrant(id(index), index, GpuPart.WHOLE, 24L << 30);
  }

  private static StepBook.Home home() {
    var request = new Request(1, 0, 0, new GpuRequest.Whole(1), GpuFilter.ANY, 3);
    var own = new Allocation(List.of(gpu(0)), Ranges.EMPTY, 0);
    return new StepBook.Home(ID, new Attempt(1, own, NOW, new Where.Here("boot")), request, false);
  }

  private static Machine machine() {
    var devices =
        IntStream.range(0, 4)
            .mapToObj(i -> new GpuDevice(id(i), i, "Sim", 24L << 30, Ranges.EMPTY, true))
            .toList();
    var stock = new Inventory.Stock(devices, true, Ranges.firstN(4), 1L << 30, 0, "boot");
    return new Inventory(stock, OperatorControls.none(UsageLimits.NONE)).machine();
  }

  private boolean lend(boolean mayLend) {
    var holding =
        new Holding(
            ID.task(), ANN, Optional.empty(), HOME.attempt().allocation(), NOW, Optional.empty());
    var view =
        new PlanningView(NOW, machine(), book.with(List.of(holding)), queue, UsageLimits.NONE);
    return book.lend(view, _ -> Optional.of(HOME), mayLend, NOW);
  }

  private List<Change> changes() {
    return notes.changes(ledger);
  }

  /** Returns what is to be done. */
  private List<Effect> commit() {
    UnitOfWork.Settled settled = notes.settle();
    settled.told().forEach(Runnable::run);
    return settled.effects();
  }

  /** Asks until it has all that it can get, as the engine locks it. */
  private void full() {
    var _ = book.ask(HOME, ITS_OWN);
    lend(true);
    commit();
    book.locked(ID, id(1), true, NOW);
    book.locked(ID, id(2), true, NOW);
    lend(true);
    commit();
  }

  private void waits(int job, int gpus) {
    var request = new Request(1, 0, 0, new GpuRequest.Whole(gpus), GpuFilter.ANY);
    queue.put(
        new Candidate(
            new JobId(job), ANN, 10, NOW, request, Optional.empty(), Optional.empty(), 1));
  }

  @Test
  void a_gpu_is_committed_then_locked_and_only_then_told() {
    CompletableFuture<JobGpus> told = book.ask(HOME, ITS_OWN);
    assertThat(lend(true)).isTrue();

    assertThat(changes())
        .containsExactly(
            new Change.Lent(ID, new Loan(gpu(1), NOW)), new Change.Lent(ID, new Loan(gpu(2), NOW)));
    assertThat(commit()).containsExactly(new Effect.Lend(ID, gpu(1)), new Effect.Lend(ID, gpu(2)));
    assertThat(told).isNotDone();

    book.locked(ID, id(1), true, NOW);
    lend(true);
    assertThat(told).isNotDone();
    commit();
    assertThat(told.join().lent()).containsExactly(gpu(1));
  }

  @Test
  void what_another_daemon_has_comes_back_untold() {
    CompletableFuture<JobGpus> told = book.ask(HOME, ITS_OWN);
    lend(true);
    commit();

    book.locked(ID, id(2), false, NOW.plusSeconds(1));

    assertThat(changes()).containsExactly(new Change.GivenBack(ID, id(2), NOW.plusSeconds(1)));
    assertThat(commit()).containsExactly(new Effect.TakeBack(ID, id(2)));
    assertThat(told).isNotDone();
  }

  @Test
  void nothing_is_lent_before_the_gpus_were_looked_at_nor_to_who_does_not_ask() {
    CompletableFuture<JobGpus> told = book.ask(HOME, ITS_OWN);
    assertThat(lend(false)).isFalse();
    assertThat(changes()).isEmpty();

    book.leave(HOME, told);
    assertThat(lend(true)).isTrue();
    assertThat(changes()).isEmpty();
    assertThat(book.wantsMore()).isFalse();
  }

  @Test
  void who_knows_its_gpus_waits_and_hears_when_some_are_called_back() {
    full();
    CompletableFuture<JobGpus> told = book.ask(HOME, new Known(List.of(2, 1, 0), 0));
    lend(true);
    commit();
    assertThat(told).isNotDone();

    waits(7, 2);
    lend(true);
    commit();
    assertThat(told.join().callBack().count()).isOne();
    assertThat(told.join().callBack().from()).containsExactly(id(1), id(2));

    CompletableFuture<JobGpus> again = book.ask(HOME, new Known(List.of(0, 1, 2), 1));
    lend(true);
    commit();
    assertThat(again).isNotDone();
    queue.remove(new JobId(7));
    lend(true);
    commit();
    assertThat(again.join().callBack().count()).isZero();
  }

  @Test
  void a_gpu_comes_back_once_however_often_it_is_said() {
    full();
    book.back(ID, List.of(id(2), id(3)), NOW.plusSeconds(5));
    assertThat(changes()).containsExactly(new Change.GivenBack(ID, id(2), NOW.plusSeconds(5)));
    assertThat(commit()).containsExactly(new Effect.TakeBack(ID, id(2)));

    book.back(ID, List.of(id(2)), NOW.plusSeconds(6));
    assertThat(changes()).isEmpty();
    assertThat(book.lent(ID)).containsExactly(gpu(1));
    assertThat(book.time(ID, NOW.plusSeconds(9))).isEqualTo(Duration.ofSeconds(14));
  }

  @Test
  void the_end_of_the_attempt_ends_its_loans_and_who_asks_is_told() {
    full();
    CompletableFuture<JobGpus> told = book.ask(HOME, new Known(List.of(0, 1, 2), 0));

    book.over(ID, NOW.plusSeconds(3));

    assertThat(changes())
        .containsExactly(
            new Change.GivenBack(ID, id(1), NOW.plusSeconds(3)),
            new Change.GivenBack(ID, id(2), NOW.plusSeconds(3)));
    commit();
    assertThat(told).isCompletedExceptionally();
    assertThat(book.isEmpty()).isTrue();
  }

  @Test
  void what_could_not_be_committed_was_not_lent() {
    var _ = book.ask(HOME, ITS_OWN);
    var before = book.mark();
    lend(true);
    assertThat(book.effects()).hasSize(2);

    book.undoTo(before);

    assertThat(book.effects()).isEmpty();
    assertThat(book.wantsMore()).isTrue();
  }

  @Test
  void the_next_daemon_has_the_loans_of_the_last_whatever_the_lock_says() {
    var loan = new Loan(gpu(3), NOW);
    book.fill(List.of(new Store.LiveLoans(ID, Duration.ofSeconds(7), List.of(loan))));

    assertThat(book.effects()).containsExactly(new Effect.Lend(ID, gpu(3)));
    book.locked(ID, id(3), false, NOW);
    assertThat(changes()).isEmpty();
    assertThat(book.gpus(HOME).lent()).containsExactly(gpu(3));
    assertThat(book.time(ID, NOW.plusSeconds(1))).isEqualTo(Duration.ofSeconds(8));
  }

  @Test
  void a_second_who_asks_takes_the_place_of_the_first() {
    full();
    var known = new Known(List.of(0, 1, 2), 0);
    CompletableFuture<JobGpus> first = book.ask(HOME, known);
    CompletableFuture<JobGpus> second = book.ask(HOME, known);
    commit();

    assertThat(first.join().lent()).containsExactly(gpu(1), gpu(2));
    assertThat(second).isNotDone();
  }

  @Test
  void progress_is_one_short_line() throws Refusal {
    var lines = new ProgressLines();
    lines.say(ID, "812/2000 done, 3 failed");
    assertThat(lines.of(ID)).contains("812/2000 done, 3 failed");
    for (String bad : List.of("a\nb", "\u001b[31m", "x".repeat(201), "\u0085")) {
      org.assertj.core.api.Assertions.assertThatThrownBy(() -> lines.say(ID, bad))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("one line");
    }
    lines.over(ID);
    assertThat(lines.of(ID)).isEmpty();
  }
}
