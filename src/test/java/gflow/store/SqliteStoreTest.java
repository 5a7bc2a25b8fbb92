package gflow.store;

import gflow.store.Store.StoreException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** On a local disk: WAL, and readers with connections of their own. */
class SqliteStoreTest extends LoanContract {
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
}
