package gflow.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gflow.script.grammar.Grammar;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Calls for real launchers: nothing that they submit ever runs. */
public final class Lines {
  private static final Set<String> ALLOCATING = Set.of("grun", "srun", "gflowd");

  private final Mutations mutations;
  private final CommandLines lines;

  public Lines(Random random, List<Grammar> grammars) {
    mutations = new Mutations(random);
    lines =
        new CommandLines(
            mutations, grammars.stream().filter(g -> !ALLOCATING.contains(g.command())).toList());
  }

  public List<String> held() {
    CommandLines.Line line = lines.next();
    var words = new ArrayList<String>();
    words.add(line.command());
    if (line.command().endsWith("batch")) {
      words.add("--hold");
    }
    words.addAll(line.arguments());
    return words;
  }

  /** What is written to the door without a launcher. */
  public byte[] rubbish() {
    String knock = mutations.changed(mutations.below(99_999) + ".0\n");
    return (knock.equals("stop\n") ? "" : knock).getBytes(ISO_8859_1);
  }
}
