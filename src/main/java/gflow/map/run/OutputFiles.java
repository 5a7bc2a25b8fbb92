package gflow.map.run;

import gflow.json.Json;
import gflow.map.items.CommandTemplate;
import gflow.map.items.Sources;
import gflow.map.results.ItemOutcome;
import gflow.process.DiskSpace;
import gflow.process.RawText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file for the value of each item: what a worker answered, as JSON, or what the program printed.
 * It is there whole or not at all.
 */
record OutputFiles(CommandTemplate name, Path folder) implements Runner.Delivery {
  @Override
  public ItemOutcome of(Executor.Done done, Slot slot) throws IOException {
    String file = name.text(done.work().item(), done.work().in(slot.gpu()));
    try {
      write(folder.resolve(file), text(done));
      return done.outcome();
    } catch (IOException e) {
      if (DiskSpace.isLacking(e)) {
        throw e;
      }
      return new ItemOutcome.Failed("cannot write " + file + ": " + Sources.why(e));
    }
  }

  private static String text(Executor.Done done) {
    return done.outcome() instanceof ItemOutcome.Value(Object tree)
        ? Json.text(tree) + "\n"
        : done.said().out();
  }

  private static void write(Path file, String text) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    Files.createDirectories(parent);
    // Of a run that was killed here, the next one writes over it.
    Path fresh = parent.resolve("." + file.getFileName() + ".new");
    try {
      Files.write(fresh, RawText.bytes(text));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
