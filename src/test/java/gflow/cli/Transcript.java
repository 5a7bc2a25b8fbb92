package gflow.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.Gflow;
import gflow.cli.frame.Invocation;
import gflow.cli.frame.Invocation.Clock;
import gflow.cli.frame.Invocation.Terminal;
import gflow.cli.frame.Output;
import gflow.job.Owner;
import gflow.script.order.Order.Origin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Command lines and what they print, as one text. A line {@code $ gqueue -h} is run, what it writes
 * stands below it: stdout as it is, stderr after {@code ! }, an exit code but 0 as {@code [2]}.
 * {@code TTY=80} before a command gives it a terminal, other such words a variable; {@code < FILE}
 * is its stdin.
 */
public final class Transcript {
  static final Path FOLDER = Path.of("src/test/resources/golden/cli");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
  private static final Clock NOON =
      new Clock(InstantSource.fixed(Instant.parse("2026-11-15T11:00:00Z")), ZoneOffset.ofHours(1));

  private final Path folder;
  private final Supplier<? extends Gflow> gflow;

  /** No two processes have the same, and a service gives its first answer again to who has. */
  private int nextKey = 99;

  public Transcript(Path folder, Supplier<? extends Gflow> gflow) {
    this.folder = folder;
    this.gflow = gflow;
  }

  /** What a command printed and returned. */
  public static final class Result implements Output {
    public final StringBuilder out = new StringBuilder();
    public final StringBuilder err = new StringBuilder();
    int flushesLeft;
    public int exitCode;

    @Override
    public void out(String text) {
      out.append(text);
    }

    @Override
    public void err(String text) {
      err.append(text);
    }

    @Override
    public boolean flush() {
      return --flushesLeft > 0;
    }
  }

  /** Runs the commands of a golden file anew and compares; -Dgolden.write=true rewrites it. */
  void check(String name) throws IOException {
    Path file = FOLDER.resolve(name);
    var text = new StringBuilder();
    for (String line : commands(file)) {
      text.append(block(line));
    }
    String actual = text.toString();
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(file, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(file));
  }

  /** A command line with what it prints below it. */
  String block(String line) {
    Result result = run(line, gflow.get());
    var text = new StringBuilder("$ " + line + "\n").append(result.out);
    result.err.toString().lines().forEach(l -> text.append("! ").append(l).append('\n'));
    text.append(result.exitCode == 0 ? "" : "[" + result.exitCode + "]\n");
    return text.toString().replace(folder.toString(), "/here");
  }

  static List<String> commands(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith("$ "))
        .map(line -> line.substring(2))
        .toList();
  }

  public Result run(String line, Gflow service) {
    return run(line, service, 3);
  }

  /** The caller is gone after so many flushes. */
  public Result run(String line, Gflow service, int flushes) {
    var result = new Result();
    result.flushesLeft = flushes;
    result.exitCode =
        new Commands("0.1.0", Path.of("/opt/gflow/bin/gflow"))
            .run(invocation(line), service, result);
    return result;
  }

  Invocation invocation(String line) {
    var words = new ArrayList<>(words(line));
    var environment = new StringBuilder("HOME=" + folder + "/home\0PATH=" + folder + "/bin\0");
    int columns = 0;
    while (words.getFirst().matches("[A-Z_]+=.*")) {
      String setting = words.removeFirst();
      if (setting.startsWith("TTY=")) {
        columns = Integer.parseInt(setting.substring(4));
      } else {
        environment.append(setting.replace("HERE", folder.toString())).append('\0');
      }
    }
    byte[] input = input(words);
    var origin =
        new Origin(
            new Owner(1000, 1000, "alice"),
            folder.toString(),
            environment.toString().getBytes(UTF_8),
            18,
            List.of());
    return new Invocation(
        words.getFirst(),
        List.copyOf(words.subList(1, words.size())),
        origin,
        new Terminal(columns, columns > 0),
        input(columns > 0 && input.length == 0, input),
        NOON,
        Optional.of("boot-4711-" + nextKey++));
  }

  private static Invocation.Input input(boolean terminal, byte[] bytes) {
    return new Invocation.Input() {
      @Override
      public InputStream open() {
        return new ByteArrayInputStream(bytes);
      }

      @Override
      public Optional<String> hold() {
        return Optional.of("/run/hold.4711");
      }

      @Override
      public boolean isTerminal() {
        return terminal;
      }
    };
  }

  private byte[] input(List<String> words) {
    int at = words.indexOf("<");
    if (at < 0) {
      return new byte[0];
    }
    Path file = folder.resolve(words.get(at + 1));
    words.subList(at, at + 2).clear();
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<String> words(String line) {
    var words = new ArrayList<String>();
    Matcher matcher = WORD.matcher(line);
    while (matcher.find()) {
      for (int group = 1; group <= 3; group++) {
        if (matcher.group(group) != null) {
          words.add(matcher.group(group));
        }
      }
    }
    return words;
  }
}
