package gflow.script.step;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gflow.script.env.Environment;
import gflow.script.value.RawWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the launcher's own shell runs as the parent of a one-task step. A shell runs its traps only
 * around {@code wait}, so the program is in the background, with its stdin; signals go to it; its
 * exit code goes into the record, and is that of the shell.
 */
public final class StepScript {
  /** Names that the launcher has used, and those that a shell sets, changes or drops itself. */
  private static final Set<String> DELICATE =
      Set.of(
          "version", "name", "word", "door", "pid", "fd", "running", "me", "lines", "tries", "line",
          "step", "hold", "signal", "born", "stat", "own", "run", "_", "IFS", "OPTIND", "PPID",
          "PS1", "PS2", "PS4", "SHLVL", "OLDPWD", "UID", "EUID");

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** What a shell puts into the environment though nobody gave it to it. */
  private static final List<String> ADDED = List.of("PWD", "OLDPWD", "SHLVL", "_");

  /**
   * Files of stdin, stdout and stderr; empty = those of the launcher. {@code append}: what stands
   * in them stays.
   */
  public record Streams(
      Optional<String> in, Optional<String> out, Optional<String> err, boolean append) {
    public static final Streams INHERITED =
        new Streams(Optional.empty(), Optional.empty(), Optional.empty(), false);
  }

  /**
   * The program with its path, how many arguments it has (the launcher's last ones), and what it
   * runs with; {@code complaint}: what to say first of a failure, or nothing.
   */
  public record Run(
      String program,
      int arguments,
      byte[] environment,
      SequencedMap<String, String> variables,
      List<String> dropped,
      Streams streams,
      Optional<String> folder,
      String env,
      Optional<String> record,
      Optional<Reason> reason,
      Optional<String> complaint,
      Optional<Outside> outside) {}

  /** Where it may stand why the step had to end, and what to say around that. */
  public record Reason(String file, String before) {}

  /**
   * Of a shell that is no process of the job: where it may stand why the job had to end, and what
   * to say then; lines to end with. One that {@code holds} the job tells it the code, through the
   * descriptor that the launcher has opened.
   */
  public record Outside(
      String reason, List<String> revoked, List<String> farewell, Codes codes, boolean holds) {
    public Outside {
      revoked = List.copyOf(revoked);
      farewell = List.copyOf(farewell);
    }
  }

  /** What becomes of the program's code: {@code gflow_j} says why the job had to end. */
  public enum Codes {
    OURS("case $gflow_j in '') ;; *LIMIT) gflow_e=124 ;; *) gflow_e=130 ;; esac\n"),
    SRUN(""),
    SALLOC("[ \"$gflow_e\" -le 128 ] && [ -z \"$gflow_j\" ] || gflow_e=1\n");

    private final String text;

    Codes(String text) {
      this.text = text;
    }
  }

  private static final String BODY =
      """
      gflow_c= gflow_p= gflow_i=1 gflow_w= gflow_e=0
      gflow_s() {
        gflow_i=1
        if [ -n "$gflow_c" ]; then
          kill -s "$1" "$gflow_c" 2>/dev/null
        else
          gflow_p="$gflow_p $1"
        fi
      }
      for gflow_n in TERM HUP USR1 USR2 CONT; do
        trap "gflow_s $gflow_n" $gflow_n
      done
      # The program has a process group of its own: who signals ours, as timeout does, would reach
      # it a second time. In the foreground of a terminal it must be in that one, and what is typed
      # comes to it from there.
      gflow_g=/usr/bin/setsid
      if { true </dev/tty; } 2>/dev/null; then
        gflow_n="gflow_n gflow_n gflow_n gflow_n gflow_a gflow_n gflow_n gflow_b gflow_n"
        read -r $gflow_n </proc/$$/stat
        [ "$gflow_a" != "$gflow_b" ] || gflow_g=
      fi
      [ -x "$gflow_g" ] || gflow_g=
      for gflow_n in INT QUIT; do
        if [ -z "$gflow_g" ]; then
          trap gflow_i=1 $gflow_n
        else
          trap "gflow_s $gflow_n" $gflow_n
        fi
      done
      """;

  /**
   * A shell itself says Killed of what was, hence the redirection. A second wait, after a signal
   * that came when the program had ended, may know no more: 127.
   */
  private static final String WAIT =
      """
      gflow_c=$!
      for gflow_n in $gflow_p; do gflow_s "$gflow_n"; done
      while [ -n "$gflow_i" ]; do
        gflow_i=
        { wait "$gflow_c"; } 2>/dev/null
        gflow_n=$?
        if [ "$gflow_n" != 127 ] || [ -z "$gflow_w" ]; then gflow_e=$gflow_n; fi
        gflow_w=1
      done
      """;

  /** As srun says it; for a signal it has the kernel's words. */
  private static final String COMPLAIN =
      """
      case $gflow_e in
        0) ;;
        129) echo "$gflow_n: Hangup" >&2 ;;
        130) echo "$gflow_n: Interrupt" >&2 ;;
        134) echo "$gflow_n: Aborted" >&2 ;;
        137) echo "$gflow_n: Killed" >&2 ;;
        139) echo "$gflow_n: Segmentation fault" >&2 ;;
        143) echo "$gflow_n: Terminated" >&2 ;;
        *) echo "$gflow_n: Exited with exit code $gflow_e" >&2 ;;
      esac
      """;

  private StepScript() {}

  public static byte[] text(Run run) {
    var text = new StringBuilder("shift $(($# - " + run.arguments() + "))\n");
    // The job has opened the FIFO, and removes it.
    text.append(run.outside().filter(Outside::holds).isPresent() ? "trap - EXIT\n" : "");
    run.dropped().stream()
        .filter(name -> PLAIN.matcher(name).matches())
        .forEach(name -> text.append("unset " + name + "\n"));
    run.variables()
        .forEach((name, value) -> text.append("export " + name + "=" + quote(bytes(value)) + "\n"));
    run.folder().ifPresent(folder -> text.append("cd " + quote(bytes(folder)) + " || exit 1\n"));
    text.append(BODY).append("exec 3<&0\n$gflow_g ").append(run.env());
    Set<String> given = Environment.of(run.environment()).names();
    for (String name : ADDED) {
      text.append(given.contains(name) ? "" : " -u " + name);
    }
    for (String name : StepEnvironment.PMI) {
      text.append(given.contains(name) ? " -u " + name : "");
    }
    for (String entry : delicate(run)) {
      text.append(' ').append(quote(entry));
    }
    text.append(' ').append(quote(bytes(run.program()))).append(" \"$@\"");
    text.append(" <").append(run.streams().in().map(f -> quote(bytes(f))).orElse("&3"));
    String to = run.streams().append() ? ">>" : ">";
    run.streams().out().ifPresent(f -> text.append(" " + to).append(quote(bytes(f))));
    boolean same = run.streams().err().equals(run.streams().out());
    run.streams().err().ifPresent(f -> text.append(same ? " 2>&1" : " 2" + to + quote(bytes(f))));
    text.append(" 3<&- 8<&- &\n").append(WAIT);
    run.record()
        .map(file -> "{ times; echo \"exit $gflow_e\"; } >" + quote(bytes(file)) + "\n")
        .ifPresent(text::append);
    text.append(end(run));
    run.complaint()
        .ifPresent(line -> text.append("gflow_n=" + quote(bytes(line)) + "\n").append(COMPLAIN));
    run.outside().ifPresent(outside -> text.append(leave(outside)));
    return text.append("exit \"$gflow_e\"\n").toString().getBytes(ISO_8859_1);
  }

  /** Why it had to end: the job's reason comes before the step's own. */
  private static String end(Run run) {
    var text = new StringBuilder("gflow_j= gflow_n=\n");
    run.outside()
        .ifPresent(
            outside -> {
              text.append(read("gflow_j", outside.reason()) + " && {\n");
              outside.revoked().forEach(line -> text.append("  " + say(line)));
              text.append("  :\n}\n");
            });
    run.reason()
        .ifPresent(
            reason -> {
              text.append("gflow_n=$gflow_j\n");
              text.append("[ -n \"$gflow_n\" ] || " + read("gflow_n", reason.file()) + "\n");
              text.append("[ -z \"$gflow_n\" ] || echo " + quote(bytes(reason.before())));
              text.append("\"$gflow_n ***\" >&2\n");
            });
    return text.toString();
  }

  /** Who is interrupted by a key must die of it, or a loop around it would go on. */
  private static String leave(Outside outside) {
    var text = new StringBuilder();
    outside.farewell().forEach(line -> text.append("[ -n \"$gflow_j\" ] || " + say(line)));
    text.append(outside.holds() ? "echo \"$gflow_e\" >&8\n" : "");
    text.append("[ \"$gflow_e\" != 130 ] || { trap - INT; kill -s INT $$; }\n");
    return text.append(outside.codes().text).toString();
  }

  private static String read(String name, String file) {
    return "{ read -r " + name + " <" + quote(bytes(file)) + "; } 2>/dev/null";
  }

  private static String say(String line) {
    return "printf '%s\\n' " + quote(bytes(line)) + " >&2\n";
  }

  /** In the form of {@link Environment}: each byte is one char. */
  private static String bytes(String text) {
    return RawWords.latin(text);
  }

  private static String quote(String bytes) {
    return "'" + bytes.replace("'", "'\\''") + "'";
  }

  /** What env must hand on because the shell would not, unchanged. */
  private static List<String> delicate(Run run) {
    var entries = new ArrayList<String>();
    for (String entry : Environment.of(run.environment()).entries()) {
      String name = Environment.name(entry);
      boolean plain = PLAIN.matcher(name).matches();
      boolean whole = entry.indexOf('=') > 0 && !entry.startsWith("-");
      if (whole
          && (!plain || DELICATE.contains(name))
          && !run.variables().containsKey(name)
          && !run.dropped().contains(name)) {
        entries.add(entry);
      }
    }
    return entries;
  }
}
