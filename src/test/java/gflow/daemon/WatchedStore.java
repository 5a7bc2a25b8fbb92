package gflow.daemon;

import gflow.job.BlobId;
import gflow.store.Change;
import gflow.store.History;
import gflow.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that remembers who asked its history, and how much each commit changed. */
final class WatchedStore implements Store {
  private final Store store;
  private final List<String> askedByTheLoop = new CopyOnWriteArrayList<>();
  private final List<Integer> commits = new CopyOnWriteArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();

  WatchedStore(Store store) {
    this.store = store;
  }

  List<String> askedByTheLoop() {
    return askedByTheLoop;
  }

  int asked() {
    return asked.get();
  }

  List<Integer> commits() {
    return commits;
  }

  void forget() {
    askedByTheLoop.clear();
    commits.clear();
  }

  @Override
  public History history() {
    return (History)
        Proxy.newProxyInstance(
            History.class.getClassLoader(),
            new Class<?>[] {History.class},
            (proxy, method, arguments) -> {
              asked.incrementAndGet();
              if (Thread.currentThread().getName().equals("gflow-loop")) {
                askedByTheLoop.add(method.getName());
              }
              try {
                return method.invoke(store.history(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public void commit(List<Change> changes) throws StoreException {
    commits.add(changes.size());
    store.commit(changes);
  }

  @Override
  public Loaded load() throws StoreException {
    return store.load();
  }

  @Override
  public SortedMap<String, String> settings() throws StoreException {
    return store.settings();
  }

  @Override
  public int prune(Instant endedBefore) throws StoreException {
    return store.prune(endedBefore);
  }

  @Override
  public Optional<byte[]> blob(BlobId id) throws StoreException {
    return store.blob(id);
  }

  @Override
  public Optional<String> answered(String key) throws StoreException {
    return store.answered(key);
  }

  @Override
  public void close() {
    store.close();
  }
}
