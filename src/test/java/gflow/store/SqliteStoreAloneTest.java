package gflow.store;

import gflow.store.Store.StoreException;

/** As on a network file system: one connection that holds the file alone. */
class SqliteStoreAloneTest extends SqliteStoreTest {
  @Override
  Database database() throws StoreException {
    return new Database(super.database().file(), true);
  }
}
