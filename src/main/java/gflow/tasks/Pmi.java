package gflow.tasks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * What the ranks of one MPI program tell each other before they can talk by themselves: PMI-1, the
 * wire protocol of MPICH and its relatives. Each asks by one line and hears one; a barrier is over
 * for all when all are in it. No clock, no file, no socket; one thread.
 */
final class Pmi {
  /** A line of a rank may have this many bytes. */
  static final int MOST_LINE = 4096;

  private static final int MOST_KEYS = 65_536;
  private static final int MOST_KEY = 64;
  private static final int MOST_VALUE = 1024;

  private final String space;
  private final int size;
  private final Map<String, String> values = new LinkedHashMap<>();
  private final TreeSet<Integer> begun = new TreeSet<>();
  private final TreeSet<Integer> over = new TreeSet<>();
  private final TreeSet<Integer> inBarrier = new TreeSet<>();

  /** What a line leads to: lines for ranks, and perhaps the end of the program by that code. */
  record Answer(List<Line> lines, OptionalInt abort) {
    Answer {
      lines = List.copyOf(lines);
    }

    private static Answer of(int rank, String text) {
      return new Answer(List.of(new Line(rank, text)), OptionalInt.empty());
    }

    private static Answer abort(int code) {
      return new Answer(List.of(), OptionalInt.of(code));
    }
  }

  /** One line for one rank, without its end. */
  record Line(int rank, String text) {}

  /** {@code job}: a name that no other program has. */
  Pmi(String job, int size) {
    this.space = "kvs_" + job;
    this.size = size;
    // All ranks are on one machine: from the 0th node one node with so many.
    values.put("PMI_process_mapping", "(vector,(0,1," + size + "))");
  }

  /** Whether this rank has begun to be one of the program and has not said its good-bye. */
  boolean isInside(int rank) {
    return begun.contains(rank) && !over.contains(rank);
  }

  /** What a rank's line, without its end, leads to. */
  Answer hear(int rank, String line) {
    Map<String, String> said = words(line);
    String command = said.getOrDefault("cmd", said.getOrDefault("mcmd", ""));
    return switch (command) {
      case "init" -> init(rank, said);
      case "get_maxes" ->
          Answer.of(
              rank,
              "cmd=maxes kvsname_max=256 keylen_max=" + MOST_KEY + " vallen_max=" + MOST_VALUE);
      case "get_appnum" -> Answer.of(rank, "cmd=appnum appnum=0");
      case "get_universe_size" -> Answer.of(rank, "cmd=universe_size size=" + size);
      case "get_my_kvsname" -> Answer.of(rank, "cmd=my_kvsname kvsname=" + space);
      case "put" -> put(rank, said);
      case "get" -> get(rank, said);
      case "barrier_in" -> barrier(rank);
      case "finalize" -> {
        over.add(rank);
        yield Answer.of(rank, "cmd=finalize_ack");
      }
      case "abort" -> Answer.abort(number(said.get("exitcode"), 1));
      // The lines that follow belong to it, up to endcmd, which is answered.
      case "spawn" -> new Answer(List.of(), OptionalInt.empty());
      case "publish_name" -> Answer.of(rank, "cmd=publish_result info=failed");
      case "unpublish_name" -> Answer.of(rank, "cmd=unpublish_result info=failed");
      case "lookup_name" -> Answer.of(rank, "cmd=lookup_result info=failed");
      case "" -> line.equals("endcmd") ? spawned(rank) : ignored(said, rank, line);
      default -> no(rank, command);
    };
  }

  private Answer init(int rank, Map<String, String> said) {
    boolean spoken = said.getOrDefault("pmi_version", "").equals("1");
    if (spoken) {
      begun.add(rank);
    }
    return Answer.of(
        rank, "cmd=response_to_init rc=" + (spoken ? 0 : -1) + " pmi_version=1 pmi_subversion=1");
  }

  private Answer put(int rank, Map<String, String> said) {
    String key = said.getOrDefault("key", "");
    String value = said.getOrDefault("value", "");
    if (!space.equals(said.get("kvsname"))) {
      return Answer.of(rank, "cmd=put_result rc=-1 msg=no_such_kvs");
    }
    if (key.isEmpty() || key.length() > MOST_KEY || value.length() > MOST_VALUE) {
      return Answer.of(rank, "cmd=put_result rc=-1 msg=too_long");
    }
    if (values.size() >= MOST_KEYS && !values.containsKey(key)) {
      return Answer.of(rank, "cmd=put_result rc=-1 msg=too_many_keys");
    }
    values.put(key, value);
    return Answer.of(rank, "cmd=put_result rc=0 msg=success");
  }

  private Answer get(int rank, Map<String, String> said) {
    String value = values.get(said.getOrDefault("key", ""));
    return value == null || !space.equals(said.get("kvsname"))
        ? Answer.of(rank, "cmd=get_result rc=-1 msg=key_not_found value=unknown")
        : Answer.of(rank, "cmd=get_result rc=0 msg=success value=" + value);
  }

  private Answer barrier(int rank) {
    inBarrier.add(rank);
    if (inBarrier.size() < size) {
      return new Answer(List.of(), OptionalInt.empty());
    }
    var lines = new ArrayList<Line>();
    inBarrier.forEach(each -> lines.add(new Line(each, "cmd=barrier_out")));
    inBarrier.clear();
    return new Answer(lines, OptionalInt.empty());
  }

  private static Answer spawned(int rank) {
    return Answer.of(rank, "cmd=spawn_result rc=-1 msg=no_spawn_here");
  }

  /** Words of a spawn are not answered one by one; of what is no protocol, one line is enough. */
  private static Answer ignored(Map<String, String> said, int rank, String line) {
    return said.isEmpty() || line.isBlank()
        ? no(rank, "nothing")
        : new Answer(List.of(), OptionalInt.empty());
  }

  private static Answer no(int rank, String command) {
    String word = command.replaceAll("[^A-Za-z0-9_]", "");
    return Answer.of(
        rank,
        "cmd=" + word.substring(0, Math.min(40, word.length())) + "_result rc=-1 msg=unknown");
  }

  /** A value goes up to the next blank; what has no {@code =} is no word. */
  private static Map<String, String> words(String line) {
    var words = new LinkedHashMap<String, String>();
    for (String word : line.strip().split(" +", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        words.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return words;
  }

  private static int number(String text, int otherwise) {
    return text != null && text.matches("\\d{1,9}") ? Integer.parseInt(text) & 0xff : otherwise;
  }
}
