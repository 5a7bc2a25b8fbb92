package gflow.daemon.service;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.daemon.Specs;
import gflow.daemon.StillDaemon;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.script.order.Order;
import gflow.store.MemoryStore;
import gflow.store.Store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** From orders to what stands in the books. */
class SubmittingTest {
  private static final StillDaemon.Setup SETUP = StillDaemon.Setup.bare();

  private final StillDaemon daemon = new StillDaemon(SETUP, new MemoryStore());

  SubmittingTest() throws StoreException {}

  @AfterEach
  void stop() {
    daemon.close();
  }

  private Job submitted(String option, String value) throws Exception {
    var origin = new Order.Origin(Specs.ANNA, "/", new byte[0], 18, List.of());
    var order =
        new Order(
            new TreeMap<>(Map.of(option, List.of(value))),
            new Order.Body.Command(List.of("true")),
            origin,
            new TreeMap<>());
    var receipts = daemon.parts().submitting().submit(List.of(order), Optional.empty(), Specs.ANNA);
    var id = new JobId(receipts.getFirst().jobId());
    return daemon.loop().look(core -> core.ledger().job(id)).orElseThrow();
  }

  @Test
  void who_asks_for_no_bytes_of_memory_gets_all_of_them_and_the_next_one_waits() throws Exception {
    Job all = submitted("mem", "0");

    assertThat(all.spec().request().memory()).isEqualTo(SETUP.stock().memory());
    assertThat(all.live()).as("it has them").hasSize(1);
    assertThat(submitted("mem", "1M").waiting().size()).isOne();
  }
}
