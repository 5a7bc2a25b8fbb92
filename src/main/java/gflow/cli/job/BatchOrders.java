package gflow.cli.job;

import gflow.api.OrderJson;
import gflow.cli.frame.Attachments;
import gflow.cli.frame.Call;
import gflow.cli.frame.ReadOrder;
import gflow.cli.frame.Refused;
import gflow.cli.frame.UserFiles;
import gflow.cli.step.ProgramCheck;
import gflow.json.BadJson;
import gflow.json.Json;
import gflow.script.grammar.Given;
import gflow.script.order.BatchOptions;
import gflow.script.order.Order;
import gflow.script.order.Order.Body;
import gflow.script.value.BadInput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Turns a command line of {@code gbatch} into orders: its forms are in docs/commands/gbatch.md. */
public final class BatchOrders {
  private static final int MOST_SCRIPT = 4 << 20;
  private static final String NOTHING =
      "nothing to run: give a script, a command, --wrap 'LINE', or a script on stdin";

  private final Call call;
  private final Given given;
  private final Attachments attachments;

  public BatchOrders(Call call, Given given) {
    this.call = call;
    this.given = given;
    this.attachments = new Attachments(call);
  }

  List<ReadOrder> read() throws BadInput, Refused {
    Optional<String> from = given.value("from");
    if (from.isPresent()) {
      return all(from.get());
    }
    ReadOrder read = attached(order(body()));
    ProgramCheck.check(call, read);
    return List.of(read);
  }

  /** What the command line says of this body. */
  public Order order(Body body) {
    var options = new TreeMap<>(given.byName());
    options.keySet().removeIf(name -> BatchOptions.ofTheCall(name) || name.equals("wrap"));
    return new Order(options, body, call.invocation().origin(), new TreeMap<>());
  }

  /** The same with what only the caller's side can see. */
  public ReadOrder attached(Order order) throws BadInput, Refused {
    return attachments.add(order);
  }

  public Body body() throws BadInput, Refused {
    List<String> words = given.words();
    Optional<String> group = given.value("group");
    if (group.isPresent()) {
      if (!words.isEmpty() || given.has("wrap")) {
        throw new BadInput("--group is the whole job; leave out the script or command");
      }
      return group(group.get());
    }
    Optional<String> wrap = given.value("wrap");
    if (wrap.isPresent()) {
      if (!words.isEmpty()) {
        throw new BadInput("--wrap is the whole job; '" + words.getFirst() + "' is too much");
      }
      if (wrap.get().isBlank()) {
        throw new BadInput("--wrap is empty: there is nothing to run");
      }
      return new Body.Wrap(wrap.get());
    }
    if (words.isEmpty()) {
      return piped();
    }
    String first = words.getFirst();
    List<String> rest = words.subList(1, words.size());
    if (first.equals("-")) {
      return script(bytes(), rest);
    }
    if (first.isEmpty()) {
      throw new BadInput("the name of the program is empty");
    }
    Optional<byte[]> script = BatchFile.find(call, first);
    return script.isPresent()
        ? new Body.Script(call.path(first).normalize().toString(), script.get(), rest)
        : new Body.Command(words);
  }

  private Body group(String file) throws Refused {
    String name = file.equals("-") ? "stdin" : call.path(file).normalize().toString();
    return new Body.Group(
        name, file.equals("-") ? bytes() : UserFiles.bytes(call.path(file), file));
  }

  /** Nothing was named: a script may come through a pipe, but nobody types one at a prompt. */
  private Body piped() throws BadInput, Refused {
    if (call.invocation().input().isTerminal()) {
      throw new BadInput(NOTHING);
    }
    byte[] text = bytes();
    if (text.length == 0) {
      throw new BadInput(NOTHING);
    }
    return script(text, List.of());
  }

  private static Body script(byte[] text, List<String> arguments) throws Refused {
    BatchFile.check(text, "the script on stdin");
    return new Body.Script("stdin", text, arguments);
  }

  private byte[] bytes() throws Refused {
    try (InputStream in = call.invocation().input().open()) {
      byte[] text = in.readNBytes(MOST_SCRIPT + 1);
      if (text.length > MOST_SCRIPT) {
        throw new Refused("the script on stdin is larger than 4M");
      }
      return text;
    } catch (IOException e) {
      throw new Refused("cannot read stdin: " + UserFiles.why(e));
    }
  }

  private List<ReadOrder> all(String file) throws BadInput, Refused {
    if (!given.words().isEmpty()) {
      throw new BadInput("--from brings the jobs; '" + given.words().getFirst() + "' is too much");
    }
    for (String name : given.byName().keySet()) {
      if (!BatchOptions.ofTheCall(name)) {
        throw new BadInput("--" + name + " belongs into the orders that --from reads");
      }
    }
    var orders = new ArrayList<ReadOrder>();
    String shown = file.equals("-") ? "stdin" : file;
    try (InputStream in = open(file);
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      int number = 1;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          orders.add(order(shown + ":" + number, line));
        }
        number++;
      }
    } catch (IOException e) {
      throw new Refused("--from: " + shown + ": " + UserFiles.why(e));
    }
    if (orders.isEmpty()) {
      throw new Refused("--from: " + shown + " has no orders: one JSON object a line");
    }
    return orders;
  }

  private InputStream open(String file) throws IOException {
    return file.equals("-")
        ? call.invocation().input().open()
        : Files.newInputStream(call.path(file));
  }

  private ReadOrder order(String where, String line) throws BadInput, Refused {
    try {
      return attachments.add(OrderJson.read(Json.parse(line), call.invocation().origin()));
    } catch (BadJson e) {
      throw new BadInput(where + ": " + e.getMessage());
    } catch (BadInput e) {
      throw new BadInput(where + ": " + e.line());
    } catch (Refused e) {
      throw new Refused(where + ": " + e.line(), e.exitCode());
    }
  }
}
