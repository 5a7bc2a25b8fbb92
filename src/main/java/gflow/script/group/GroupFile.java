package gflow.script.group;

import gflow.script.value.BadInput;
import gflow.script.value.NearestWord;
import gflow.script.value.Toml;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * A server and its clients as one job: options of the job at the top, and a table for each role, in
 * the order in which they start.
 */
public record GroupFile(List<Toml.Entry> top, List<Role> roles) {
  public GroupFile {
    top = List.copyOf(top);
    roles = List.copyOf(roles);
  }

  /** {@code file}: its name, for lines about what is wrong in it. */
  public static GroupFile parse(String file, String text) throws BadInput {
    Toml.Content content = Toml.readFromTop(text);
    var wrong = content.wrong().entrySet().stream().findFirst();
    if (wrong.isPresent()) {
      throw new BadInput(wrong.get().getValue()).at(file + " line " + wrong.get().getKey());
    }
    var readers = new LinkedHashMap<String, RoleReader>();
    var roles = new ArrayList<Role>();
    for (Toml.Table table : content.tables()) {
      var reader = new RoleReader(file, table, content.entries());
      readers.put(table.name(), reader);
      roles.add(reader.read());
    }
    if (roles.isEmpty()) {
      throw new BadInput("there is no role; write a table as [server] with a command").at(file);
    }
    checkEnds(roles, readers);
    checkPorts(roles, readers);
    for (Role role : roles) {
      checkAfter(role, roles, readers.get(role.name()));
    }
    var top = content.entries().stream().filter(entry -> entry.table().isEmpty()).toList();
    return new GroupFile(top, inOrder(roles, readers));
  }

  private static void checkEnds(List<Role> roles, LinkedHashMap<String, RoleReader> readers)
      throws BadInput {
    List<Role> ending = roles.stream().filter(Role::ends).toList();
    if (ending.size() > 1) {
      RoleReader second = readers.get(ending.get(1).name());
      throw second.bad(
          second.line("ends"),
          "role "
              + ending.getFirst().name()
              + " ends the job already; leave out ends in one of them");
    }
  }

  private static void checkPorts(List<Role> roles, LinkedHashMap<String, RoleReader> readers)
      throws BadInput {
    var taken = new TreeMap<Integer, String>();
    for (Role role : roles) {
      for (int port : ports(role)) {
        String other = taken.putIfAbsent(port, role.name());
        if (other != null && !other.equals(role.name())) {
          RoleReader reader = readers.get(role.name());
          throw reader.bad(
              reader.line("ready"), "port " + port + " is taken already, by role " + other);
        }
      }
    }
  }

  /** Those on which it says that it listens, as numbers. */
  public static List<Integer> ports(Role role) {
    return role.turn().ready().stream()
        .map(Role::port)
        .flatMapToInt(OptionalInt::stream)
        .boxed()
        .toList();
  }

  private static void checkAfter(Role role, List<Role> roles, RoleReader reader) throws BadInput {
    List<String> names = roles.stream().map(Role::name).toList();
    for (String before : role.turn().after()) {
      if (before.equals(role.name())) {
        throw reader.bad(reader.line("after"), "role " + before + " waits for itself");
      }
      if (!names.contains(before)) {
        String hint =
            NearestWord.to(before, names)
                .map(near -> "; did you mean " + near + "?")
                .orElse("; there are " + String.join(", ", names));
        throw reader.bad(
            reader.line("after"),
            "role " + role.name() + " waits for '" + before + "', which is no role" + hint);
      }
    }
  }

  /** Each after those that it waits for, otherwise as they are written. */
  private static List<Role> inOrder(List<Role> roles, LinkedHashMap<String, RoleReader> readers)
      throws BadInput {
    var left = new ArrayList<>(roles);
    var ordered = new ArrayList<Role>();
    Set<String> done = new HashSet<>();
    while (!left.isEmpty()) {
      Optional<Role> next =
          left.stream().filter(role -> done.containsAll(role.turn().after())).findFirst();
      if (next.isEmpty()) {
        throw circle(left, done, readers);
      }
      left.remove(next.get());
      ordered.add(next.get());
      done.add(next.get().name());
    }
    return ordered;
  }

  /** Whoever is left waits for one that is left, so that the way leads into the circle. */
  private static BadInput circle(
      List<Role> left, Set<String> done, LinkedHashMap<String, RoleReader> readers) {
    var way = new ArrayList<String>();
    String name = left.getFirst().name();
    while (!way.contains(name)) {
      way.add(name);
      String here = name;
      Role role = left.stream().filter(r -> r.name().equals(here)).findFirst().orElseThrow();
      name = role.turn().after().stream().filter(b -> !done.contains(b)).findFirst().orElseThrow();
    }
    RoleReader reader = readers.get(name);
    way.add(name);
    return reader.bad(
        reader.line("after"),
        "roles wait for each other: "
            + String.join(" → ", way.subList(way.indexOf(name), way.size())));
  }
}
