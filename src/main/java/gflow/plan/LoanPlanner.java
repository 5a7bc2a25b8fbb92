package gflow.plan;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuRequest;
import gflow.job.Request;
import gflow.job.TaskId;
import gflow.plan.Plan.Start;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Who gets GPUs on loan, and who is asked to give some back. A plan is made as if all loans had
 * come back: what starts in it, and what the first in turn has reserved, is not lent. The rest is
 * shared out evenly among those who can use more, and who has more than that gives back.
 */
public final class LoanPlanner {
  private final PlanningView view;
  private final List<Account> accounts = new ArrayList<>();
  private final Set<GpuId> lent = new HashSet<>();
  private final List<GpuFilter> wishes = new ArrayList<>();

  /** An elastic task that runs; only one that {@code asks} would hear of a new loan. */
  public record Borrower(TaskId task, Request request, boolean asks) {}

  public record Lend(TaskId task, GpuGrant grant) {}

  /** How many GPUs shall come back; any of {@code from} will do. */
  public record CallBack(int count, List<GpuId> from) {
    public static final CallBack NONE = new CallBack(0, List.of());

    public CallBack {
      from = List.copyOf(from);
    }
  }

  public record Decision(List<Lend> lends, SortedMap<TaskId, CallBack> callBacks) {
    public Decision {
      lends = List.copyOf(lends);
      callBacks = Collections.unmodifiableSortedMap(new TreeMap<>(callBacks));
    }
  }

  /** What one borrower has, and shall have. */
  private static final class Account {
    final Borrower borrower;
    final Holding holding;
    final List<GpuId> staying = new ArrayList<>();
    final List<GpuId> share = new ArrayList<>();
    boolean full;

    Account(Borrower borrower, Holding holding) {
      this.borrower = borrower;
      this.holding = holding;
    }

    int has() {
      return holding.allocation().gpus().size() + holding.lent().size();
    }

    int shallHave() {
      return holding.allocation().gpus().size() + share.size();
    }

    boolean mayGrow() {
      return !full && shallHave() < borrower.request().mostGpus();
    }

    List<GpuId> called() {
      return holding.lent().stream().map(GpuGrant::gpu).filter(c -> !share.contains(c)).toList();
    }
  }

  private LoanPlanner(PlanningView view, List<Borrower> borrowers) {
    this.view = view;
    for (Holding holding : view.holdings()) {
      borrowers.stream()
          .filter(b -> b.task().equals(holding.task()))
          .findFirst()
          .ifPresent(b -> accounts.add(new Account(b, holding)));
    }
    accounts.forEach(a -> a.holding.lent().forEach(grant -> lent.add(grant.gpu())));
  }

  public static Decision decide(PlanningView view, List<Borrower> borrowers) {
    return new LoanPlanner(view, borrowers).decide();
  }

  private Decision decide() {
    PlanningPass others = withoutLoans();
    Set<GpuId> kept = keptFrom(others);
    var free = new ArrayList<GpuBudget>();
    for (GpuBudget budget : others.pool().passing(GpuFilter.ANY)) {
      boolean ours = lent.contains(budget.gpu.id());
      if (!ours && budget.isFree() && budget.gpu.usable() && !kept.contains(budget.gpu.id())) {
        free.add(budget);
      }
    }
    free.sort(Comparator.comparingInt(budget -> budget.gpu.index()));
    accounts.forEach(account -> keep(account, others));
    shareOut(free, others.tally());
    return new Decision(lends(), callBacks());
  }

  /** The plan that there would be if everybody had given back everything. */
  private PlanningPass withoutLoans() {
    List<Holding> own = view.holdings().stream().map(this::withoutLoans).toList();
    var back = new PlanningView(view.now(), view.machine(), own, view.book(), view.limits());
    return new PlanningPass(back, FreeResources.sparing(view.machine(), inOrderOfReturn()));
  }

  /** One that is being ended does not listen any more; its GPUs come back with its end. */
  private Holding withoutLoans(Holding holding) {
    boolean listens = accounts.stream().anyMatch(a -> a.holding.equals(holding));
    return listens ? holding.withLent(List.of()) : holding;
  }

  /** From who has most, and of these the GPU that came last. */
  private List<GpuId> inOrderOfReturn() {
    var left = new TreeMap<TaskId, List<GpuId>>();
    accounts.forEach(
        a ->
            left.put(
                a.holding.task(),
                new ArrayList<>(a.holding.lent().stream().map(GpuGrant::gpu).toList())));
    var order = new ArrayList<GpuId>();
    while (order.size() < lent.size()) {
      Account richest =
          accounts.stream()
              .filter(a -> !left.get(a.holding.task()).isEmpty())
              .max(Comparator.comparingInt(a -> own(a) + left.get(a.holding.task()).size()))
              .orElseThrow();
      order.add(left.get(richest.holding.task()).removeLast());
    }
    return order;
  }

  private static int own(Account account) {
    return account.holding.allocation().gpus().size();
  }

  /** What those get who would start, and what is kept for the first who would not. */
  private Set<GpuId> keptFrom(PlanningPass others) {
    var kept = new HashSet<GpuId>();
    for (Start start : others.plan().starts()) {
      List<GpuId> gpus = start.allocation().gpus().stream().map(GpuGrant::gpu).toList();
      kept.addAll(gpus);
      if (gpus.stream().anyMatch(lent::contains)) {
        view.book().get(start.job()).ifPresent(c -> wishes.add(c.request().filter()));
      }
    }
    others.plan().reservation().ifPresent(r -> kept.addAll(r.gpus()));
    return kept;
  }

  /**
   * A GPU stays where it is if nobody starts on it and no operator wants it back. One that is
   * reserved stays, too: the reserved job cannot start yet, and idle GPUs help nobody.
   */
  private void keep(Account account, PlanningPass others) {
    List<GpuId> started =
        others.plan().starts().stream()
            .map(Start::allocation)
            .map(Allocation::gpus)
            .flatMap(List::stream)
            .map(GpuGrant::gpu)
            .toList();
    for (GpuGrant grant : account.holding.lent()) {
      boolean there = gpu(grant.gpu()).map(g -> g.availability().returns()).orElse(false);
      if (there && !started.contains(grant.gpu())) {
        account.staying.add(grant.gpu());
      }
    }
  }

  /** One GPU at a time to who has fewest: first its own, then a free one, then another's. */
  private void shareOut(List<GpuBudget> free, UsageTally tally) {
    for (var next = poorest(); next.isPresent(); next = poorest()) {
      Account account = next.get();
      Optional<GpuId> gpu =
          account.staying.stream()
              .findFirst()
              .or(() -> account.borrower.asks() ? anotherFor(account, free) : Optional.empty());
      if (gpu.isEmpty() || !tally.addGpu(account.holding.owner(), account.holding.project())) {
        account.full = true;
        continue;
      }
      account.share.add(gpu.get());
      free.removeIf(c -> c.gpu.id().equals(gpu.get()));
      accounts.forEach(a -> a.staying.remove(gpu.get()));
    }
  }

  private Optional<Account> poorest() {
    return accounts.stream()
        .filter(Account::mayGrow)
        .min(
            Comparator.comparingInt(Account::shallHave)
                .thenComparing(account -> account.holding.task()));
  }

  private Optional<GpuId> anotherFor(Account account, List<GpuBudget> free) {
    GpuFilter filter = account.borrower.request().filter();
    Optional<GpuId> unused =
        free.stream().filter(c -> c.gpu.passes(filter)).map(c -> c.gpu.id()).findFirst();
    return unused.or(() -> fromRicher(account, filter));
  }

  /** Only from one who would still have as many: a mere exchange is no gain. */
  private Optional<GpuId> fromRicher(Account account, GpuFilter filter) {
    Optional<GpuId> gpu =
        accounts.stream()
            .filter(other -> other != account)
            .filter(o -> o.shallHave() + o.staying.size() >= account.shallHave() + 2)
            .flatMap(other -> reversed(other.staying))
            .filter(id -> gpu(id).map(g -> g.usable() && g.passes(filter)).orElse(false))
            .findFirst();
    gpu.ifPresent(id -> wishes.add(filter));
    return gpu;
  }

  private static Stream<GpuId> reversed(List<GpuId> gpus) {
    return gpus.reversed().stream();
  }

  /** Who has to give something back gets nothing new, so that nobody has more than its most. */
  private List<Lend> lends() {
    var lends = new ArrayList<Lend>();
    for (Account account : accounts) {
      int room = account.borrower.request().mostGpus() - account.has();
      account.share.stream()
          .filter(id -> !lent.contains(id) && account.called().isEmpty())
          .limit(Math.max(0, room))
          .forEach(id -> lends.add(new Lend(account.holding.task(), grant(id))));
    }
    return lends;
  }

  private GpuGrant grant(GpuId id) {
    return new GpuBudget(gpu(id).orElseThrow()).grantFor(new GpuRequest.Whole(1));
  }

  private SortedMap<TaskId, CallBack> callBacks() {
    var all = new TreeMap<TaskId, CallBack>();
    for (Account account : accounts) {
      List<GpuId> called = account.called();
      if (!called.isEmpty()) {
        List<GpuId> from =
            account.holding.lent().stream()
                .map(GpuGrant::gpu)
                .filter(id -> called.stream().anyMatch(c -> c.equals(id) || asGood(c, id)))
                .toList();
        all.put(account.holding.task(), new CallBack(called.size(), from));
      }
    }
    return all;
  }

  /** Whether those who want the one would be served by the other. */
  private boolean asGood(GpuId wanted, GpuId other) {
    Optional<Gpu> one = gpu(wanted).filter(Gpu::usable);
    Optional<Gpu> two = gpu(other).filter(Gpu::usable);
    return one.isPresent()
        && two.isPresent()
        && one.get().memory() == two.get().memory()
        && wishes.stream().allMatch(f -> one.get().passes(f) == two.get().passes(f));
  }

  private Optional<Gpu> gpu(GpuId id) {
    return view.machine().gpus().stream().filter(g -> g.id().equals(id)).findFirst();
  }
}
