package gflow.map.plan;

import gflow.map.items.ItemFile;
import java.nio.file.Path;

/** Spools the lines of {@code list} and reads them back: run in a JVM with little memory. */
public final class MillionItems {
  private MillionItems() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Path items = folder.resolve("items");
    Orders.spool(folder, "", "--items-from", "list", "x").write(items);
    int count = 0;
    try (var reading = ItemFile.read(items)) {
      while (reading.hasNext() && reading.next().index() == count) {
        count++;
      }
    }
    System.out.println(count + " items are there and back");
  }
}
