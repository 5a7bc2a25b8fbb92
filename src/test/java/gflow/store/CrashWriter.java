package gflow.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that submits groups of jobs until it is killed, and says each id it has committed. */
final class CrashWriter {
  private CrashWriter() {}

  public static void main(String[] args) throws Exception {
    var out = System.out;
    try (var store = SqliteStore.open(Path.of(args[0]))) {
      store.commit(List.of(Samples.putEnvironment()));
      for (long id = store.load().nextId(); ; id += 3) {
        var group = new ArrayList<Change>();
        for (long k = id; k < id + 3; k++) {
          group.add(new Change.Submit(Samples.job(k)));
        }
        store.commit(group);
        out.println(id + 2);
        out.flush();
      }
    }
  }
}
