package gflow.store;

import static gflow.store.Samples.at;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Exit;
import gflow.job.Job;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Usage;
import gflow.store.Store.StoreException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a local disk: WAL, and readers with connections of their own. */
class SqliteStoreTest extends GpusSeenContract {
  @TempDir Path folder;

  Database database() throws StoreException {
    return Database.at(folder.resolve("gflow.db"));
  }

  @Override
  Store create() throws StoreException {
    return SqliteStore.open(database(), HostMark.of("here"));
  }

  @Override
  Store reopen(Store before) throws StoreException {
    before.close();
    return create();
  }

  @Override
  void full(Store store, boolean now) {
    ((SqliteStore) store).limitPages(now ? 1 : Integer.MAX_VALUE);
  }

  @Test
  void prune_takes_a_long_array_in_pieces_and_leaves_the_others_alone() throws StoreException {
    Job array = Samples.array(1, 2500);
    var outcome = new Outcome(JobState.COMPLETED, Exit.OK, Usage.UNKNOWN, at(100), "");
    var changes = new ArrayList<Change>(List.of(new Change.Submit(array)));
    Job ended = array;
    for (int k = 0; k < 2500; k++) {
      changes.addAll(Samples.run(array, k, 1, outcome));
      ended = Samples.ended(ended, k, outcome);
    }
    changes.add(new Change.Progress(ended));
    store.commit(changes);
    Job young = submitAndEnd(Samples.job(2502), JobState.COMPLETED, at(300));

    Store.Pruned first = store.prune(at(200));
    assertThat(first).isEqualTo(new Store.Pruned(0, true));
    assertThat(store.history().job(array.id())).isPresent();
    assertThat(store.prune(at(200)).more()).isTrue();
    assertThat(store.prune(at(200))).isEqualTo(new Store.Pruned(1, false));

    assertThat(store.history().job(array.id())).isEmpty();
    assertThat(store.history().attempts(array.task(2499).number())).isEmpty();
    assertThat(store.history().job(young.id())).contains(young);
    assertThat(store.blob(young.spec().scene().environment())).isPresent();
  }
}
