package gflow.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Draws the house: a room stands above all that it sees, numbers lead along the way of one job, and
 * a table of dots says who sees whom. From the table of ARCHITECTURE and the imports of the code.
 */
final class RoomsPicture {
  private static final Path SOURCES = Path.of("src/main/java/gflow");
  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?gflow\\.([a-z]+)\\.", Pattern.MULTILINE);

  private static final int WIDTH = 920;
  private static final int ROOF = 84;
  private static final int BOX = 208;
  private static final int TALL = 64;
  private static final int GAP = 14;
  private static final int CELL = 22;
  private static final int NAMES = 74;

  /** One stop on the way of a job, at a class of that room. */
  record Stop(String room, String type, String words) {}

  static final List<Stop> WAY =
      List.of(
          new Stop("door", "Door", "gbatch knocks; its words are read from /proc"),
          new Stop("cli", "Gbatch", "options, script and folder become an order"),
          new Stop("script", "Orders", "the order becomes a spec, or one clear line"),
          new Stop("api", "Gflow", "the service takes it, from here or by HTTP"),
          new Stop("daemon", "Loop", "one writer takes it from its queue"),
          new Stop("job", "Lifecycle", "what happened gives state and effects"),
          new Stop("plan", "Planner", "who starts now, on which GPUs; why others wait"),
          new Stop("store", "SqliteStore", "committed: only now the id is answered"),
          new Stop("local", "LocalEngine", "the effects: lock GPUs, start the wrapper"),
          new Stop("process", "ProcessWatch", "its end is an event for the loop, at 5"));

  private final SortedMap<String, SortedSet<String>> sees = new TreeMap<>();
  private final SortedMap<Integer, List<String>> floors = new TreeMap<>();
  private final StringBuilder svg = new StringBuilder();

  RoomsPicture() {
    Walls.ROOMS.keySet().forEach(room -> sees.put(room, imports(room)));
    Walls.ROOMS
        .keySet()
        .forEach(room -> floors.computeIfAbsent(floor(room), _ -> new ArrayList<>()).add(room));
  }

  String draw() {
    int house = ROOF + floors.size() * (TALL + GAP);
    int height = house + 50 + NAMES + sees.size() * CELL + 20;
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img">
        <title>The rooms of gflow, who sees whom, and the way of one job</title>
        <style>
          text { font: 13px system-ui, sans-serif; fill: #1f2328 }
          .name { font-weight: 600; font-size: 15px } .small { font-size: 11px; fill: #59636e }
          .head { font-weight: 600 } .mid { text-anchor: middle } .end { text-anchor: end }
          rect, polygon { fill: #f6f8fa; stroke: #d1d9e0 } .pure { fill: #ddf4ff; stroke: #54aeff }
          .grid { fill: none; stroke: #d1d9e0; stroke-width: .6 } .dot { fill: #0969da }
          .may { fill: none; stroke: #59636e } .stop { fill: #bc4c00 }
          .number { fill: #ffffff; font-size: 11px; font-weight: 600; text-anchor: middle }
          @media (prefers-color-scheme: dark) {
            text { fill: #e6edf3 } .small { fill: #9198a1 }
            rect, polygon { fill: #151b23; stroke: #3d444d }
            .pure { fill: #121d2f; stroke: #388bfd }
            .grid { fill: none; stroke: #3d444d } .dot { fill: #58a6ff }
            .may { fill: none; stroke: #9198a1 } .stop { fill: #db6d28 } .number { fill: #ffffff }
          }
        </style>
        """
            .formatted(WIDTH, height));
    roof();
    floors.forEach((floor, rooms) -> floor(house - (floor + 1) * (TALL + GAP), rooms));
    dots(house + 30);
    way(house + 30);
    return svg.append("</svg>\n").toString();
  }

  private void roof() {
    line(
        "<polygon points=\"20,%d %d,8 %d,%d\"/>"
            .formatted(ROOF - GAP, WIDTH / 2, WIDTH - 20, ROOF - GAP));
    text("name mid", WIDTH / 2, ROOF - 38, "gflow");
    text("small mid", WIDTH / 2, ROOF - 23, "Main says new to everything below");
  }

  private void floor(int y, List<String> rooms) {
    int x = (WIDTH - rooms.size() * BOX - (rooms.size() - 1) * GAP) / 2;
    for (String room : rooms) {
      String pure = Walls.PURE.contains(room) ? " class=\"pure\"" : "";
      line(
          "<rect%s x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>"
              .formatted(pure, x, y, BOX, TALL));
      text("name", x + 12, y + 23, room);
      text("small", x + 12, y + 39, Walls.HOLDS.get(room));
      text("small", x + 12, y + 55, String.join(", ", parts(room)));
      for (int i = 0; i < WAY.size(); i++) {
        if (WAY.get(i).room().equals(room)) {
          number(x + BOX - 20, y + 20, i + 1);
        }
      }
      x += BOX + GAP;
    }
  }

  private void number(int x, int y, int number) {
    line("<circle class=\"stop\" cx=\"%d\" cy=\"%d\" r=\"10\"/>".formatted(x, y));
    text("number", x, y + 4, Integer.toString(number));
  }

  /** In the order of the floors, so that all dots are on one side of the diagonal. */
  private void dots(int top) {
    List<String> order = floors.reversed().values().stream().flatMap(List::stream).toList();
    text("head", 20, top, "Who sees whom");
    int left = 20 + NAMES;
    int first = top + 10 + NAMES;
    for (int i = 0; i < order.size(); i++) {
      int across = left + i * CELL + CELL / 2 + 4;
      line(
          "<text class=\"small\" transform=\"translate(%d %d) rotate(-90)\">%s</text>"
              .formatted(across, first - 6, order.get(i)));
      text("small end", left - 8, first + i * CELL + CELL / 2 + 4, order.get(i));
      for (int j = 0; j < order.size(); j++) {
        dot(left + j * CELL, first + i * CELL, order.get(i), order.get(j));
      }
    }
  }

  private void dot(int x, int y, String from, String to) {
    line(
        "<rect class=\"grid\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
            .formatted(x, y, CELL, CELL));
    boolean does = sees.get(from).contains(to);
    if (does || Walls.ROOMS.get(from).contains(to)) {
      String kind = does ? "dot" : "may";
      line(
          "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"5\"/>"
              .formatted(kind, x + CELL / 2, y + CELL / 2));
    }
  }

  private void way(int top) {
    int left = 500;
    text("head", left, top, "The way of one job");
    int y = top + 34;
    for (Stop stop : WAY) {
      number(left + 10, y - 4, WAY.indexOf(stop) + 1);
      text("head", left + 30, y, stop.room() + ": " + stop.type());
      text("small", left + 30, y + 16, stop.words());
      y += 38;
    }
    text("small", left, y, "Blue rooms are pure: no clock, file, environment or chance.");
  }

  private void text(String kind, int x, int y, String words) {
    line("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>".formatted(kind, x, y, words));
  }

  private void line(String text) {
    svg.append(text).append('\n');
  }

  /** One above the highest of what it sees. */
  private static int floor(String room) {
    return Walls.ROOMS.get(room).stream().mapToInt(seen -> floor(seen) + 1).max().orElse(0);
  }

  private static SortedSet<String> imports(String room) {
    var seen = new TreeSet<String>();
    for (Path file : files(room)) {
      IMPORT.matcher(read(file)).results().forEach(found -> seen.add(found.group(1)));
    }
    seen.remove(room);
    return seen;
  }

  private static List<String> parts(String room) {
    return files(room).stream()
        .map(file -> SOURCES.resolve(room).relativize(file))
        .filter(file -> file.getNameCount() > 1)
        .map(file -> file.getName(0).toString())
        .distinct()
        .toList();
  }

  static List<Path> files(String room) {
    try (Stream<Path> files = Files.walk(SOURCES.resolve(room))) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
