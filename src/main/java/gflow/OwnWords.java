package gflow;

import gflow.cli.frame.Invocation;
import gflow.process.Proc;
import gflow.process.RawText;
import java.util.List;

/** The JVM reads its arguments as UTF-8 and loses what is none; the kernel still has them. */
final class OwnWords {
  private OwnWords() {}

  static Invocation raw(Invocation call) {
    List<String> words = call.arguments();
    boolean lost = words.stream().anyMatch(word -> word.indexOf('\uFFFD') >= 0);
    if (!lost) {
      return call;
    }
    List<byte[]> all = Proc.cmdline(Proc.self());
    List<String> raw =
        all.subList(all.size() - words.size(), all.size()).stream().map(RawText::of).toList();
    return new Invocation(
        call.command(),
        raw,
        call.origin(),
        call.terminal(),
        call.input(),
        call.clock(),
        call.key());
  }
}
