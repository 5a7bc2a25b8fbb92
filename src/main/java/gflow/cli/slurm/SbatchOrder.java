package gflow.cli.slurm;

import gflow.cli.frame.Call;
import gflow.cli.frame.Refused;
import gflow.cli.frame.TestOnly;
import gflow.cli.frame.UserFiles;
import gflow.cli.job.BatchOrders;
import gflow.script.grammar.Given;
import gflow.script.order.BatchOptions;
import gflow.script.order.Directives;
import gflow.script.order.Order;
import gflow.script.order.Order.Body;
import gflow.script.value.BadInput;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The order that a command line of {@code sbatch} makes: a script, never a bare program, and what
 * Slurm does where nothing was said.
 */
public final class SbatchOrder {
  private static final List<String> OF_THE_CALL = List.of(TestOnly.OPTION, "verbose");
  private static final String NO_SHEBANG =
      """
      This does not look like a batch script.  The first
      line must start with #! followed by the path to an interpreter.
      For instance: #!/bin/sh\
      """;

  private final Call call;
  private final Given given;

  SbatchOrder(Call call, Given given) {
    this.call = call;
    var options = new TreeMap<>(given.byName());
    OF_THE_CALL.forEach(options::remove);
    this.given = new Given(options, given.words());
  }

  Order read() throws BadInput, Refused {
    var orders = new BatchOrders(call, given);
    Order order = orders.order(body(orders));
    return orders.attached(withDefaults(order));
  }

  private Body body(BatchOrders orders) throws BadInput, Refused {
    List<String> words = given.words();
    if (given.has("wrap") || words.isEmpty()) {
      Body body = orders.body();
      if (body instanceof Body.Script script) {
        check(script.text());
      }
      return body;
    }
    Path path = find(words.getFirst());
    byte[] text = UserFiles.bytes(path, words.getFirst());
    check(text);
    return new Body.Script(path.normalize().toString(), text, words.subList(1, words.size()));
  }

  /** In this folder, else on PATH, as Slurm looks for it. */
  private Path find(String word) throws Refused {
    Path here = call.path(word);
    if (Files.isRegularFile(here)) {
      return here;
    }
    if (!word.contains("/")) {
      for (String folder : call.variable("PATH").orElse("/usr/bin:/bin").split(":", -1)) {
        Path there = call.path(folder).resolve(word);
        if (Files.isRegularFile(there)) {
          return there;
        }
      }
    }
    throw new Refused("Unable to open file " + word);
  }

  private static void check(byte[] bytes) throws Refused {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (text.isBlank()) {
      throw new Refused("Batch script is empty!");
    }
    if (!text.startsWith("#!")) {
      throw new Refused(NO_SHEBANG);
    }
    if (text.contains("\r\n")) {
      throw new Refused(
          "Batch script contains DOS line breaks (\\r\\n)\n"
              + "instead of expected UNIX line breaks (\\n).\nsed -i 's/\\r$//' mends it.");
    }
    if (text.indexOf('\0') >= 0) {
      throw new Refused("Batch script contains a NUL character: it is no text");
    }
  }

  private static Order withDefaults(Order order) throws BadInput {
    Given all = Directives.merge(order.options(), order.body());
    var options = new TreeMap<>(order.options());
    boolean array = all.has("array") || all.has("param") || all.has("param-file");
    offer(options, all, "output", array ? "slurm-%A_%a.out" : "slurm-%j.out");
    offer(options, all, "open-mode", "truncate");
    offer(options, all, "kill-on-invalid-dep", "no");
    options.put(BatchOptions.SLURM, List.of(""));
    if (name(order.body()).isPresent()) {
      offer(options, all, "name", name(order.body()).get());
    }
    return new Order(options, order.body(), order.origin(), order.files());
  }

  /** A script from stdin has no name of its own. */
  private static Optional<String> name(Body body) {
    return body instanceof Body.Script script && !script.name().startsWith("/")
        ? Optional.of("sbatch")
        : Optional.empty();
  }

  private static void offer(
      TreeMap<String, List<String>> options, Given all, String name, String value) {
    if (all.values(name).isEmpty()) {
      options.put(name, List.of(value));
    }
  }
}
