package gflow.map.plan;

import gflow.map.items.BadItems;
import gflow.map.items.Item;
import gflow.script.value.BadInput;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Command lines of gmap, for tests. */
public final class Orders {
  private Orders() {}

  static MapOrder of(String... words) throws BadInput {
    return MapOrders.read(MapOptions.GRAMMAR.parse(List.of(words)), true);
  }

  public static ItemSpool spool(Path folder, String stdin, String... words) throws BadInput {
    byte[] bytes = stdin.getBytes(StandardCharsets.ISO_8859_1);
    return new ItemSpool(of(words), folder, () -> new ByteArrayInputStream(bytes));
  }

  /** The first hundred items. */
  public static List<Item> items(Path folder, String... words) throws BadInput, BadItems {
    return spool(folder, "", words).look(100).first();
  }

  public static List<String> texts(Path folder, String... words) throws BadInput, BadItems {
    return items(folder, words).stream().map(Item::text).toList();
  }
}
