package gflow.daemon.service;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.ContainedBugs;
import gflow.config.Config;
import gflow.daemon.Specs;
import gflow.daemon.core.Clocks;
import gflow.daemon.core.CommitHooks;
import gflow.daemon.core.Core;
import gflow.daemon.core.Inventory;
import gflow.daemon.core.JobFinder;
import gflow.daemon.core.Ledger;
import gflow.daemon.core.Loop;
import gflow.daemon.core.OperatorControls;
import gflow.daemon.core.Routing;
import gflow.daemon.core.TurnRunner;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.local.LocalEngine;
import gflow.plan.UsageLimits;
import gflow.script.order.Defaults;
import gflow.script.order.Order;
import gflow.store.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From orders to what stands in the books. */
class SubmittingTest {
  private static final long MEMORY = 1L << 36;

  private record NoLogs() implements LogFiles {
    @Override
    public Optional<Path> out(Job job, int offset) {
      return Optional.empty();
    }

    @Override
    public Optional<Path> err(Job job, int offset) {
      return Optional.empty();
    }
  }

  private final MemoryStore store = new MemoryStore();
  private final Loop loop = loop();

  private Loop loop() {
    var stock = new Inventory.Stock(List.of(), true, Ranges.firstN(4), MEMORY, 0, "boot");
    var inventory = new Inventory(stock, OperatorControls.none(UsageLimits.NONE));
    var core =
        new Core(
            new Ledger(store.history()), inventory, Specs.grace(Duration.ZERO), Routing.HERE, 1);
    var hooks = new Loop.Hooks(effect -> {}, (c, turn) -> {}, () -> {}, broken -> {});
    var clocks = new Clocks(InstantSource.fixed(Specs.T0), () -> Duration.ZERO);
    return new Loop(
        new TurnRunner(core, store, CommitHooks.NONE, new ContainedBugs(line -> {})),
        clocks,
        hooks);
  }

  @BeforeEach
  void start() {
    loop.start();
  }

  @AfterEach
  void stop() {
    loop.close();
  }

  private Job submitted(String option, String value) throws Exception {
    var clock = InstantSource.fixed(Specs.T0);
    var views = new Views(ZoneOffset.UTC, new NoLogs(), LocalEngine.Binding.NONE);
    var context =
        new ServiceContext(
            loop, store, views, new JobFinder(store.history()), clock, ZoneOffset.UTC);
    var sizes = new Config.Limits(OptionalInt.empty(), OptionalInt.empty(), 1000, 10_000);
    var rules = new Submitting.Rules(Defaults.NONE, sizes, spec -> Optional.empty());
    var origin = new Order.Origin(Specs.ANNA, "/", new byte[0], 18, List.of());
    var order =
        new Order(
            new TreeMap<>(Map.of(option, List.of(value))),
            new Order.Body.Command(List.of("true")),
            origin,
            new TreeMap<>());
    var receipts =
        new Submitting(context, new NoLogs(), rules, AnswerLimits.ofThisProcess())
            .submit(List.of(order), Optional.empty(), Specs.ANNA);
    var id = new JobId(receipts.getFirst().jobId());
    return loop.look(core -> core.ledger().job(id)).orElseThrow();
  }

  @Test
  void who_asks_for_no_bytes_of_memory_gets_all_of_them_and_the_next_one_waits() throws Exception {
    Job all = submitted("mem", "0");

    assertThat(all.spec().request().memory()).isEqualTo(MEMORY);
    assertThat(all.live()).as("it has them").hasSize(1);
    assertThat(submitted("mem", "1M").waiting().size()).isOne();
  }
}
