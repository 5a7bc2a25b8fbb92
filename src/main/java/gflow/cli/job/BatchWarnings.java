package gflow.cli.job;

import gflow.cli.frame.Call;
import gflow.cli.frame.ReadOrder;
import gflow.script.order.FixedPorts;
import gflow.script.order.Order;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** What is no mistake, but would surprise: said on stderr, once, and the job is submitted. */
public final class BatchWarnings {
  private static final int MOST = 3;

  private BatchWarnings() {}

  public static void say(Call call, List<ReadOrder> orders) {
    for (ReadOrder read : orders) {
      if (read.order().body() instanceof Order.Body.Script script) {
        late(call, script);
      }
      FixedPorts.in(read.order().body()).stream()
          .limit(MOST)
          .forEach(found -> fixedPort(call, read.order().body(), found));
    }
    if (orders.stream().anyMatch(BatchWarnings::wantsMail)) {
      call.problem("no mail will be sent: gflow sends none; --mail-type is kept with the job");
    }
  }

  /** Directives that stand after the first command, where nobody reads them. */
  private static void late(Call call, Order.Body.Script script) {
    List<Integer> lines = script.directives().late();
    if (!lines.isEmpty()) {
      boolean one = lines.size() == 1;
      call.problem(
          "%s line%s %s: not read, because %s after the first command; move %s up"
              .formatted(
                  Path.of(script.name()).getFileName(),
                  one ? "" : "s",
                  lines.stream().map(n -> Integer.toString(n)).collect(Collectors.joining(", ")),
                  one ? "it stands" : "they stand",
                  one ? "it" : "them"));
    }
  }

  private static void fixedPort(Call call, Order.Body body, FixedPorts.Found found) {
    String name =
        switch (body) {
          case Order.Body.Script script -> script.name();
          case Order.Body.Group group -> group.name();
          case Order.Body.Command _, Order.Body.Wrap _ -> "";
        };
    String where =
        found.line() > 0 && !name.isEmpty()
            ? Path.of(name).getFileName() + " line " + found.line() + ": "
            : "";
    call.problem(
        where
            + "port "
            + found.port()
            + " is fixed, so jobs that have it run one after the other; write "
            + (found.line() > 0 || body instanceof Order.Body.Wrap
                ? found.instead()
                : "--wrap '… " + found.instead() + " …'"));
  }

  private static boolean wantsMail(ReadOrder read) {
    return read.all().value("mail-type").filter(t -> !t.equalsIgnoreCase("none")).isPresent();
  }
}
