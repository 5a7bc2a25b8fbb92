package gflow.map;

import gflow.json.BadJson;
import gflow.json.RecordJson;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * Makes the folder of a map, so that a runner needs nothing else: the items, and the plan, which
 * comes last. Of a folder that is gone on with it looks whether that is the same map.
 */
public final class MapMaking {
  /** {@code notes}: what the user should hear. */
  public record Made(MapFolder folder, MapPlan plan, List<String> notes) {}

  private final MapOrder order;
  private final Path from;
  private final Spool.Stdin stdin;

  /** {@code from}: the caller's folder. */
  public MapMaking(MapOrder order, Path from, Spool.Stdin stdin) {
    this.order = order;
    this.from = from;
    this.stdin = stdin;
  }

  public Made make(MapFolder folder) throws BadItems {
    try {
      return order.results().resume() ? again(folder) : fresh(folder);
    } catch (IOException e) {
      throw new BadItems("cannot write in " + folder.path() + ": " + Sources.why(e));
    }
  }

  private Made fresh(MapFolder folder) throws BadItems, IOException {
    if (Files.exists(folder.plan()) || Files.exists(folder.results())) {
      throw new BadItems(
          folder.path() + " has the results of another map; --resume goes on with it");
    }
    var mine = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---"));
    try {
      Files.createDirectories(folder.path().toAbsolutePath().getParent());
      Files.createDirectory(folder.path(), mine);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder.path())) {
        throw new BadItems(folder.path() + " is no folder");
      }
    }
    Spool.Spooled spooled;
    try {
      spooled = new Spool(order, from, stdin).write(folder.items());
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
    for (Path path : List.of(folder.items(), folder.plan(), folder.logs(), folder.path())) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        // Not empty, or not ours.
      }
    }
  }

  // ---- going on ----

  private Made again(MapFolder folder) throws BadItems, IOException {
    MapPlan before = read(folder);
    boolean sameItems = order.items().source() instanceof Source.Before;
    MapPlan plan = sameItems ? adjusted(before) : withItems(folder, before);
    if (order.results().retryFailed()) {
      Retrying.dropFailed(folder);
    }
    write(folder, plan);
    return new Made(folder, plan, List.of());
  }

  static MapPlan read(MapFolder folder) throws BadItems {
    try {
      return RecordJson.read(MapPlan.class, Files.readString(folder.plan()));
    } catch (IOException e) {
      throw new BadItems("there is no map in " + folder.path() + " to go on with");
    } catch (BadJson e) {
      throw new BadItems(folder.plan() + " is damaged: " + e.getMessage());
    }
  }

  /** The command, if one is given, may have been mended; the way is what is said now. */
  private MapPlan adjusted(MapPlan before) {
    MapOrder.Way way = order.way();
    List<String> command = order.command().isEmpty() ? before.command() : order.command();
    return new MapPlan(
        command,
        order.command().isEmpty() ? before.folder() : from.toString(),
        before.items(),
        way.slots(),
        way.care(),
        way.output(),
        order.command().isEmpty() && way.worker().isEmpty() ? before.worker() : way.worker());
  }

  private MapPlan withItems(MapFolder folder, MapPlan before) throws BadItems, IOException {
    Path fresh = folder.items().resolveSibling("items.new");
    Spool.Spooled spooled = new Spool(order, from, stdin).write(fresh);
    boolean same = spooled.written().sha256().equals(before.items().sha256());
    if (!same && !order.results().changed()) {
      Files.delete(fresh);
      throw new BadItems(
          "the items are others than before (%d then, %d now); --changed-items goes on with them"
              .formatted(before.items().count(), spooled.written().count()));
    }
    if (!same) {
      Retrying.match(folder, fresh);
    }
    Files.move(fresh, folder.items(), StandardCopyOption.REPLACE_EXISTING);
    List<String> command = order.command().isEmpty() ? before.command() : order.command();
    MapPlan plan = order.plan(from.toString(), spooled.written());
    return new MapPlan(
        command,
        plan.folder(),
        plan.items(),
        plan.slots(),
        plan.care(),
        plan.output(),
        plan.worker());
  }

  /** Whole or not at all, and there after the end of the machine. */
  private static void write(MapFolder folder, MapPlan plan) throws IOException {
    Path fresh = folder.plan().resolveSibling("map.json.new");
    Files.writeString(fresh, RecordJson.write(plan) + "\n");
    try (var file = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      file.force(true);
    }
    Files.move(fresh, folder.plan(), StandardCopyOption.ATOMIC_MOVE);
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
