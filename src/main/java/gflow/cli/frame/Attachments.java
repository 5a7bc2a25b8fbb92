package gflow.cli.frame;

import gflow.script.order.Directives;
import gflow.script.order.Order;
import gflow.script.value.BadInput;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Adds to an order what only the caller's side can see: the content of files that its options name,
 * and where its conda environment is. The options may stand in the script as well.
 */
public final class Attachments {
  private static final List<String> FILES = List.of("param-file", "config");

  private final Call call;

  /** A plain command whose options were found good and name no files: many orders repeat them. */
  private Optional<ReadOrder> plain = Optional.empty();

  public Attachments(Call call) {
    this.call = call;
  }

  public ReadOrder add(Order order) throws BadInput, Refused {
    boolean script =
        order.body() instanceof Order.Body.Script || order.body() instanceof Order.Body.Group;
    if (!script && plain.filter(p -> p.order().options().equals(order.options())).isPresent()) {
      return new ReadOrder(order, plain.get().all());
    }
    var all = Directives.merge(order.options(), order.body());
    var options = new TreeMap<>(order.options());
    var files = new TreeMap<>(order.files());
    for (String option : FILES) {
      for (String written : all.values(option)) {
        if (!files.containsKey(written)) {
          files.put(written, UserFiles.attached(call, option, written));
        }
      }
    }
    if (all.value("conda-env").isPresent() && !all.has("conda-prefix")) {
      Path prefix = new CondaEnvs(call).resolve(all.value("conda-env").get());
      options.put("conda-prefix", List.of(prefix.toString()));
    }
    var read = new ReadOrder(new Order(options, order.body(), order.origin(), files), all);
    if (!script && files.isEmpty() && options.equals(order.options())) {
      plain = Optional.of(read);
    }
    return read;
  }
}
