package gflow.map.plan;

import gflow.json.RecordJson;
import gflow.map.items.BadItems;
import gflow.map.items.Source;
import gflow.map.items.Sources;
import gflow.map.items.StandardInput;
import gflow.map.results.FileReplacement;
import gflow.map.results.MapFolder;
import gflow.map.results.ResultReader;
import gflow.process.FileLock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Makes the folder of a map, so that a runner needs nothing else: the items, and the plan, which
 * comes last. Of a map that is resumed it checks that the folder holds the same one. {@code from}:
 * the caller's folder.
 */
public record MapMaking(MapOrder order, Path from, StandardInput stdin) {
  /** {@code notes}: what the user should hear. */
  public record Made(MapFolder folder, MapPlan plan, List<String> notes) {}

  /** In that folder, or in a new one that is nobody else's. */
  public Made make(Optional<MapFolder> named) throws BadItems {
    try {
      MapFolder folder = named.isPresent() ? named.get() : own();
      if (!order.results().resume()) {
        Files.createDirectories(folder.path());
      } else if (!Files.exists(folder.plan()) && !FileReplacement.isCommitted(folder)) {
        throw new BadItems("there is no map in " + folder.path() + " to go on with");
      }
      // Nobody may run it, or make another one there, while it is made.
      int lock = FolderLock.take(folder, FolderLock.process());
      try {
        FileReplacement.finish(folder);
        return order.results().resume() ? again(folder) : fresh(folder);
      } finally {
        FileLock.close(lock);
      }
    } catch (IOException e) {
      throw new BadItems("cannot make the map's folder: " + Sources.why(e));
    }
  }

  private MapFolder own() throws IOException {
    while (true) {
      MapFolder folder = firstFree(from);
      try {
        Files.createDirectory(folder.path());
        return folder;
      } catch (FileAlreadyExistsException e) {
        // Somebody else was quicker.
      }
    }
  }

  private Made fresh(MapFolder folder) throws BadItems, IOException {
    if (Files.exists(folder.plan()) || Files.exists(folder.results())) {
      throw new BadItems(folder.path() + " has a map already; --resume goes on with it");
    }
    ItemSpool.Spooled spooled;
    try {
      spooled = new ItemSpool(order, from, stdin).write(FileReplacement.fresh(folder.items()));
    } catch (BadItems e) {
      remove(folder);
      throw e;
    }
    Files.createDirectories(folder.logs());
    MapPlan plan = order.plan(from.toString(), spooled.written());
    write(folder, plan);
    return new Made(folder, plan, spooled.notes());
  }

  /** Of a map that was made for nothing; what else is in the folder stays. */
  public static void remove(MapFolder folder) {
    for (Path path :
        List.of(folder.items(), folder.plan(), folder.lock(), folder.logs(), folder.path())) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        // Not empty, or not ours.
      }
    }
  }

  // ---- going on ----

  private Made again(MapFolder folder) throws BadItems, IOException {
    MapPlan before = MapPlan.read(folder);
    boolean sameItems = order.items().source() instanceof Source.Before;
    MapPlan.Items which = sameItems ? before.items() : written(folder, before);
    boolean sameFolder = sameItems && order.command().isEmpty();
    String where = sameFolder ? before.folder() : from.toString();
    MapPlan plan = new ResumeOptions(before, order).plan(where, which);
    Path items = FileReplacement.fresh(folder.items());
    boolean others = !plan.items().sha256().equals(before.items().sha256());
    if (order.results().retryFailed() || others) {
      new ResultReader(folder)
          .prepare(order.results().retryFailed(), others ? Optional.of(items) : Optional.empty());
    }
    write(folder, plan);
    // They speak of the run before, and would be taken for this one's if it does not end well.
    Files.deleteIfExists(folder.progress());
    Files.deleteIfExists(folder.summary());
    return new Made(folder, plan, List.of());
  }

  private MapPlan.Items written(MapFolder folder, MapPlan before) throws BadItems, IOException {
    Path fresh = FileReplacement.fresh(folder.items());
    ItemSpool.Spooled spooled = new ItemSpool(order, from, stdin).write(fresh);
    boolean same = spooled.written().sha256().equals(before.items().sha256());
    if (!same && !order.results().changed()) {
      Files.delete(fresh);
      throw new BadItems(
          "the items are others than before (%d then, %d now); --changed-items goes on with them"
              .formatted(before.items().count(), spooled.written().count()));
    }
    return order.plan(from.toString(), spooled.written()).items();
  }

  /** From here on the map is what the new files say. */
  private static void write(MapFolder folder, MapPlan plan) throws IOException {
    Files.writeString(FileReplacement.fresh(folder.plan()), RecordJson.write(plan) + "\n");
    FileReplacement.commit(folder);
  }

  /** The first folder of this name that is free: {@code gmap-1}, {@code gmap-2}, … */
  public static MapFolder firstFree(Path from) {
    int number = 1;
    while (Files.exists(from.resolve("gmap-" + number))) {
      number++;
    }
    return new MapFolder(from.resolve("gmap-" + number));
  }
}
