package gflow.door;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The command that somebody called: {@code gqueue}, {@code gflow queue}, {@code squeue}. */
public record CalledCommand(String command, List<String> arguments) {
  static final Set<String> NAMES =
      Set.of(
          "gbatch", "gcancel", "gctl", "gflowd", "ginfo", "gjob", "gmap", "gqueue", "grun",
          "gstats");
  private static final Set<String> SLURMS_NAMES =
      Set.of("sbatch", "srun", "salloc", "squeue", "scancel", "sinfo", "scontrol", "sacct", "seff");
  private static final Set<String> SHELLS =
      Set.of("sh", "dash", "bash", "busybox", "ash", "ksh", "mksh", "zsh");

  public CalledCommand {
    arguments = List.copyOf(arguments);
  }

  /** What a launcher of this name means with these words; a name that is none stays a word. */
  public static CalledCommand of(String launcher, List<String> words) {
    if (launcher.equals("gflow") && !words.isEmpty()) {
      String first = words.getFirst();
      String command = first.startsWith("g") ? first : "g" + first;
      if (NAMES.contains(command)) {
        return new CalledCommand(command, words.subList(1, words.size()));
      }
    }
    return new CalledCommand(launcher, words);
  }

  /** Whether these are the words of a shell that runs a launcher. */
  static boolean byLauncher(List<String> commandLine) {
    var words = script(commandLine);
    if (words.isEmpty() || !SHELLS.contains(base(commandLine.getFirst()))) {
      return false;
    }
    String name = base(words.getFirst());
    return name.equals("gflow") || NAMES.contains(name) || SLURMS_NAMES.contains(name);
  }

  /** Reads {@code /bin/sh /path/of/gqueue -s R}. */
  static CalledCommand ofLauncher(List<String> commandLine) {
    var words = script(commandLine);
    return of(base(words.getFirst()), words.subList(1, words.size()));
  }

  /** From the script's path on: {@code busybox sh -e} and the like come before it. */
  private static List<String> script(List<String> commandLine) {
    var words = new ArrayList<>(commandLine);
    while (!words.isEmpty() && shellWord(words.getFirst(), words.size() == commandLine.size())) {
      words.removeFirst();
    }
    return words;
  }

  private static boolean shellWord(String word, boolean first) {
    return first || word.startsWith("-") || SHELLS.contains(word);
  }

  private static String base(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
