package gflow.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The walls of a house that stands in this package; the fixtures are a second, bad house. */
record Walls(String root) {
  private static final Pattern ROW =
      Pattern.compile("\\| `(\\w+)` \\| (.*) \\| (.*) \\|", Pattern.MULTILINE);

  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  /** Each room, and which others it may see: the table of ARCHITECTURE. The root sees all. */
  static final Map<String, List<String>> ROOMS = new TreeMap<>();

  /** What a room is for, in the first words of its row. */
  static final Map<String, String> HOLDS = new TreeMap<>();

  static final List<String> PURE = new ArrayList<>();

  static {
    Matcher row = ROW.matcher(read(Path.of("ARCHITECTURE.md")));
    while (row.find()) {
      String room = row.group(1);
      String uses = row.group(3);
      HOLDS.put(room, row.group(2).replace("`", "").split("[,:;(]", 2)[0].strip());
      if (!room.equals("gflow")) {
        ROOMS.put(room, NAME.matcher(uses).results().map(name -> name.group(1)).toList());
      }
      if (uses.contains("(pure)")) {
        PURE.add(room);
      }
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static final String NO_END = "commands do not end the process";

  private static final Set<String> CLOCKS =
      Set.of(
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.time.Instant.now",
          "java.time.LocalDate.now",
          "java.time.LocalDateTime.now",
          "java.time.LocalTime.now",
          "java.time.ZonedDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.time.Clock.system",
          "java.time.InstantSource.system",
          "java.time.ZoneId.systemDefault");
  private static final Set<String> SURROUNDINGS =
      Set.of(
          "java.lang.System.getenv",
          "java.lang.System.getProperty",
          "java.lang.System.getProperties",
          "java.lang.Long.getLong",
          "java.lang.Integer.getInteger",
          "java.lang.Boolean.getBoolean");
  private static final Set<String> DICE =
      Set.of("java.util.UUID.randomUUID", "java.lang.Math.random", "java.util.Collections.shuffle");
  private static final Set<String> TERMINAL =
      Set.of(
          "java.lang.System.in",
          "java.lang.System.out",
          "java.lang.System.err",
          "java.lang.System.getenv",
          "java.lang.System.console");
  private static final Set<String> ENDS =
      Set.of("java.lang.System.exit", "java.lang.Runtime.exit", "java.lang.Runtime.halt");

  SequencedMap<String, ArchRule> rules() {
    var rules = new LinkedHashMap<String, ArchRule>();
    ROOMS.forEach((room, seen) -> rules.put("room " + room, room(room, seen)));
    rules.put("pure: no clock", noCalls(PURE, CLOCKS));
    rules.put("pure: no environment", noCalls(PURE, SURROUNDINGS));
    rules.put("pure: no file", pureSeesNoneOf("java.io", "java.nio.file..", "java.nio.channels.."));
    rules.put("pure: no dice", noCalls(PURE, DICE));
    rules.put("pure: no random source", pureSeesNoRandom());
    rules.put("commands do not touch the terminal", noCalls(List.of("cli"), TERMINAL));
    rules.put(NO_END, noCalls(List.of("cli"), ENDS));
    rules.put("only the root and the door see commands", commands());
    rules.put("rooms within a room see each other one way", withinRooms());
    return rules;
  }

  private ArchRule room(String room, List<String> seen) {
    var open = seen.stream().map(other -> root + "." + other).toList();
    return noClasses()
        .that()
        .resideInAPackage(root + "." + room + "..")
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "stand behind a wall",
                c -> inHouse(c) && !inside(c, root + "." + room) && !insideAny(c, open)))
        .allowEmptyShould(true);
  }

  private boolean inHouse(JavaClass c) {
    return inside(c, root);
  }

  private static boolean inside(JavaClass c, String packageName) {
    String name = c.getPackageName();
    return name.equals(packageName) || name.startsWith(packageName + ".");
  }

  private static boolean insideAny(JavaClass c, List<String> packages) {
    return packages.stream().anyMatch(p -> inside(c, p));
  }

  private String[] packages(List<String> rooms) {
    return rooms.stream().map(room -> root + "." + room + "..").toArray(String[]::new);
  }

  private ArchRule noCalls(List<String> rooms, Set<String> forbidden) {
    return noClasses()
        .that()
        .resideInAnyPackage(packages(rooms))
        .should()
        .callMethodWhere(
            DescribedPredicate.describe("is forbidden", (JavaMethodCall c) -> is(c, forbidden)))
        .orShould()
        .accessFieldWhere(
            DescribedPredicate.describe("is forbidden", (JavaFieldAccess a) -> is(a, forbidden)))
        .allowEmptyShould(true);
  }

  private static boolean is(JavaAccess<?> access, Set<String> names) {
    return names.contains(access.getTargetOwner().getName() + "." + access.getTarget().getName());
  }

  private ArchRule pureSeesNoneOf(String... packages) {
    return noClasses()
        .that()
        .resideInAnyPackage(packages(PURE))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages)
        .allowEmptyShould(true);
  }

  private ArchRule pureSeesNoRandom() {
    return noClasses()
        .that()
        .resideInAnyPackage(packages(PURE))
        .should()
        .dependOnClassesThat()
        .areAssignableTo(java.util.random.RandomGenerator.class)
        .allowEmptyShould(true);
  }

  private ArchRule withinRooms() {
    return slices().matching(root + ".(*).(*)..").should().beFreeOfCycles();
  }

  private ArchRule commands() {
    return classes()
        .that()
        .resideInAPackage(root + ".cli..")
        .should()
        .onlyHaveDependentClassesThat()
        .resideInAnyPackage(root, root + ".cli..", root + ".door..")
        .allowEmptyShould(true);
  }
}
