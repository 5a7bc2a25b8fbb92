package gflow.map.plan;

import gflow.map.items.BadItems;
import gflow.map.items.CommandTemplate;
import gflow.map.items.Item;
import gflow.map.items.RunPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Whether the command can do with the items: all are like the first, and have what it names. */
final class TemplateFit {
  private final Item first;
  private final boolean grouped;
  private final List<CommandTemplate> templates = new ArrayList<>();
  private final TreeSet<String> columns = new TreeSet<>();
  private final Optional<CommandTemplate> out;
  private final RepeatedItems outFiles = new RepeatedItems();

  TemplateFit(MapOrder order, Item first) throws BadItems {
    this.first = first;
    MapPlan plan = order.draft();
    grouped = plan.items().perCall() > 1;
    templates.add(plan.template(first));
    out = plan.outTemplate(first);
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
    if (out.isPresent()) {
      checkOutFile(out.get(), item);
    }
  }

  /** One of two that write the same file would be lost. */
  private void checkOutFile(CommandTemplate name, Item item) throws BadItems {
    String file = name.text(item, new RunPlace(0, "", 1));
    outFiles.add(Item.of(item.index(), file));
    if (outFiles.again() > 0) {
      throw bad(
          item, "would write " + file + ", as one before it; put {index} into --out-template");
    }
  }

  private static BadItems bad(Item item, String what) {
    return new BadItems("item " + (item.index() + 1) + " " + what);
  }
}
