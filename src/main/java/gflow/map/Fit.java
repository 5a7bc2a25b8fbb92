package gflow.map;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Whether the command can do with the items: all are like the first, and have what it names. */
final class Fit {
  private final Item first;
  private final boolean grouped;
  private final List<Template> templates = new ArrayList<>();
  private final TreeSet<String> columns = new TreeSet<>();

  Fit(MapOrder order, Item first) throws BadItems {
    this.first = first;
    grouped = order.items().perCall() > 1;
    templates.add(order.template(first));
    Optional<Template> out = order.outTemplate(first);
    if (out.isPresent() && !out.get().namesItem()) {
      throw new BadItems(
          "--out-template names one file for all items; put {stem}, {index} or a column in it");
    }
    out.ifPresent(templates::add);
    templates.forEach(template -> columns.addAll(template.columns()));
  }

  List<String> doubts() {
    return templates.stream().flatMap(template -> template.doubts().stream()).distinct().toList();
  }

  void check(Item item) throws BadItems {
    if (!grouped && item.values().size() != first.values().size()) {
      throw bad(
          item,
          "has %d values, the first has %d".formatted(item.values().size(), first.values().size()));
    }
    Optional<String> missing =
        columns.stream().filter(name -> !item.columns().containsKey(name)).findFirst();
    if (missing.isPresent()) {
      throw bad(item, "has no field '" + missing.get() + "', which the command uses");
    }
  }

  private static BadItems bad(Item item, String what) {
    return new BadItems("item " + (item.index() + 1) + " " + what);
  }
}
