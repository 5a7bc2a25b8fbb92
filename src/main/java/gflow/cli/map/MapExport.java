package gflow.cli.map;

import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Refused;
import gflow.map.results.MapFolder;
import gflow.map.results.ResultLine;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** {@code gmap export}: the results of a map as a table for other programs. */
public final class MapExport {
  private static final List<String> FIELDS =
      List.of(
          "status", "exit_code", "signal", "cause", "attempts", "gpu", "slot", "start", "seconds");

  public static final Command COMMAND =
      Command.of(
          "gmap export",
          "DIR --csv",
          "Prints the results of a map as a table: a row for each item, with its columns, how it"
              + " went, and its value or what it printed. The fields of a value that is a JSON"
              + " object, or of one that a program printed last, have columns of their own.",
          List.of(Opt.flag("csv", "", "with commas, the header first"), Opt.HELP),
          MapExport::run);

  private MapExport() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    if (!given.has("csv")) {
      throw new BadInput("say in which form: --csv");
    }
    MapFolder folder = MapShow.folder(call, given);
    var columns = new TreeSet<String>();
    var values = new TreeSet<String>();
    MapShow.forEach(
        folder,
        line -> {
          columns.addAll(line.columns().keySet());
          values.addAll(line.values().keySet());
        });
    call.line(header(columns, values));
    MapShow.forEach(folder, line -> call.line(row(line, columns, values)));
    return 0;
  }

  private static String header(TreeSet<String> columns, TreeSet<String> values) {
    var names = new ArrayList<>(List.of("index", "item"));
    names.addAll(columns);
    names.addAll(FIELDS);
    names.addAll(values);
    names.add("output");
    return joined(names);
  }

  private static String row(ResultLine line, TreeSet<String> columns, TreeSet<String> values) {
    var cells = new ArrayList<>(List.of(Long.toString(line.index()), line.item()));
    Map<String, String> own = line.columns();
    columns.forEach(name -> cells.add(own.getOrDefault(name, "")));
    FIELDS.forEach(name -> cells.add(line.text(name)));
    Map<String, String> value = line.values();
    values.forEach(name -> cells.add(value.getOrDefault(name, "")));
    cells.add(line.rest());
    return joined(cells);
  }

  private static String joined(List<String> cells) {
    return cells.stream().map(MapExport::quoted).collect(Collectors.joining(","));
  }

  private static String quoted(String cell) {
    boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }
}
