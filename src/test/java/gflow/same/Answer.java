package gflow.same;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * What a case gave, in a form that does not depend on where and when it ran: the lines of each
 * section (what the commands said, the jobs, each file). As text it is what the repository keeps.
 */
record Answer(SequencedMap<String, List<String>> sections) {
  private static final String HEAD = "== ";

  String text() {
    var text = new StringBuilder();
    sections.forEach(
        (name, lines) -> {
          text.append(HEAD).append(name).append('\n');
          lines.forEach(line -> text.append(line).append('\n'));
        });
    return text.toString();
  }

  static Answer parse(String text) {
    var sections = new LinkedHashMap<String, List<String>>();
    List<String> lines = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith(HEAD)) {
        lines = new ArrayList<>();
        sections.put(line.substring(HEAD.length()), lines);
      } else {
        lines.add(line);
      }
    }
    return new Answer(sections);
  }
}
