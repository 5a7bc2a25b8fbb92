package gflow.door;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.cli.frame.Invocation;
import gflow.cli.frame.Output;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Commands that tell what they see; and, as a program, a daemon that can be killed. */
final class Parrot implements DoorCommands {
  final CountDownLatch deserted = new CountDownLatch(1);

  @Override
  public boolean fits(Invocation call) {
    return !call.arguments().contains("--elsewhere");
  }

  @Override
  public String failed(String command, Throwable bug) {
    return "internal error 7: " + bug.getMessage();
  }

  @Override
  public String version() {
    return "1.0";
  }

  @Override
  public int run(Invocation call, Output output) {
    if (call.arguments().isEmpty()) {
      output.line(call.command());
      return 0;
    }
    var words = call.arguments();
    String rest = words.size() > 1 ? words.get(1) : "";
    return switch (words.getFirst()) {
      case "args" -> say(output, call.command() + " " + words);
      case "folder" -> say(output, call.origin().folder());
      case "umask" -> say(output, Integer.toOctalString(call.origin().umask()));
      case "limits" -> say(output, call.origin().ulimits().toString());
      case "owner" -> say(output, call.caller().uid() + " " + call.caller().gid());
      case "key" -> say(output, call.key().orElseThrow());
      case "zone" -> say(output, call.clock().zone().toString());
      case "columns" -> say(output, call.terminal().toString());
      case "environment" -> environment(call, output);
      case "text" -> write(output, rest);
      case "lines" -> lines(output, Integer.parseInt(rest));
      case "mixed" -> mixed(output);
      case "late" -> late(output);
      case "input" -> input(call, output);
      case "throw" -> throw new IllegalStateException("as you wish");
      case "stream" -> stream(output);
      case "die" -> die(call, output, Path.of(rest));
      default -> Integer.parseInt(words.getFirst());
    };
  }

  private static int say(Output output, String text) {
    output.line(text);
    return 0;
  }

  private static int write(Output output, String text) {
    output.out(text);
    return 0;
  }

  private static int environment(Invocation call, Output output) {
    // Latin-1 makes each byte a letter; no test looks at others.
    output.out(new String(call.origin().environment(), ISO_8859_1));
    return 0;
  }

  private static int lines(Output output, int count) {
    for (int i = 1; i <= count; i++) {
      output.line("line " + i + " of a table that is about as wide as a terminal, with \\n and %s");
    }
    return count % 100;
  }

  private static int mixed(Output output) {
    output.line("one");
    output.problem("two");
    output.out("three\nfour without end");
    output.err("five without end");
    return 7;
  }

  /** Much, then an error: the code is known only after the output has gone out. */
  private static int late(Output output) {
    lines(output, 5_000);
    output.flush();
    lines(output, 5_000);
    output.problem("late\nproblem");
    return 9;
  }

  private static int input(Invocation call, Output output) {
    try (var in = call.input().open()) {
      output.out(new String(in.readAllBytes(), UTF_8));
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int stream(Output output) {
    output.line("begin");
    while (output.flush()) {
      new Backoff().rest();
    }
    deserted.countDown();
    return 0;
  }

  /** Says a line, dies; the next daemon says the same again, and more. */
  private static int die(Invocation call, Output output, Path mark) {
    output.line(call.key().orElseThrow());
    output.flush();
    if (!Files.exists(mark)) {
      try {
        Files.createFile(mark);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Runtime.getRuntime().halt(137);
    }
    output.line(call.key().orElseThrow());
    return 5;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    try (var _ = new Door(Path.of(args[0]), new Parrot())) {
      Thread.sleep(Long.MAX_VALUE);
    }
  }
}
