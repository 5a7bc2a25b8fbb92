package gflow.cli.slurm;

import static gflow.script.order.ScriptFault.EMPTY;
import static gflow.script.order.ScriptFault.NO_READER;

import gflow.cli.frame.Call;
import gflow.cli.frame.ReadOrder;
import gflow.cli.frame.Refused;
import gflow.cli.frame.TestOnly;
import gflow.cli.frame.UserFiles;
import gflow.cli.job.BatchOrders;
import gflow.script.grammar.Given;
import gflow.script.order.BatchOptions;
import gflow.script.order.Order;
import gflow.script.order.Order.Body;
import gflow.script.order.ScriptFault;
import gflow.script.value.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

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

  ReadOrder read() throws BadInput, Refused {
    var orders = new BatchOrders(call, given);
    return withDefaults(orders.attached(orders.order(body(orders))));
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
    List<String> folders = word.contains("/") ? List.of() : call.searchPath();
    return Stream.concat(Stream.of(""), folders.stream())
        .map(folder -> call.path(folder).resolve(word))
        .filter(Files::isRegularFile)
        .findFirst()
        .orElseThrow(() -> new Refused("Unable to open file " + word));
  }

  /** Slurm looks for a reader first. */
  private static void check(byte[] text) throws Refused {
    List<ScriptFault> faults = ScriptFault.of(text);
    if (!faults.isEmpty()) {
      boolean unread = faults.contains(NO_READER) && !faults.contains(EMPTY);
      throw new Refused(words(unread ? NO_READER : faults.getFirst()));
    }
  }

  private static String words(ScriptFault fault) {
    return switch (fault) {
      case EMPTY -> "Batch script is empty!";
      case NO_READER -> NO_SHEBANG;
      case DOS_LINE_ENDS ->
          "Batch script contains DOS line breaks (\\r\\n)\n"
              + "instead of expected UNIX line breaks (\\n).\nsed -i 's/\\r$//' mends it.";
      case NO_TEXT -> "Batch script contains a NUL character: it is no text";
    };
  }

  private static ReadOrder withDefaults(ReadOrder read) {
    Given all = read.all();
    Order order = read.order();
    var options = new TreeMap<>(order.options());
    boolean array = all.has("array") || all.has("param") || all.has("param-file");
    offer(options, all, "output", array ? "slurm-%A_%a.out" : "slurm-%j.out");
    offer(options, all, "open-mode", "truncate");
    offer(options, all, "kill-on-invalid-dep", "no");
    options.put(BatchOptions.SLURM, List.of(""));
    if (name(order.body()).isPresent()) {
      offer(options, all, "name", name(order.body()).get());
    }
    return new ReadOrder(new Order(options, order.body(), order.origin(), order.files()), all);
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
