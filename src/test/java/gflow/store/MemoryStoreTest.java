package gflow.store;

class MemoryStoreTest extends GpusSeenContract {
  @Override
  Store create() {
    return new MemoryStore();
  }

  @Override
  Store reopen(Store before) {
    return ((MemoryStore) before).crash();
  }

  @Override
  void full(Store store, boolean now) {
    ((MemoryStore) store).disk().full(now);
  }
}
