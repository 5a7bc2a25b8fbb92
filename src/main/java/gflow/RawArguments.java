package gflow;

import gflow.process.Proc;
import gflow.process.RawText;
import java.util.List;

/** The JVM reads its arguments as UTF-8 and loses what is none; the kernel still has them. */
final class RawArguments {
  private RawArguments() {}

  static List<String> raw(List<String> words) {
    boolean lost = words.stream().anyMatch(word -> word.indexOf('\uFFFD') >= 0);
    if (!lost) {
      return words;
    }
    List<byte[]> all = Proc.cmdline(Proc.self());
    return all.subList(all.size() - words.size(), all.size()).stream().map(RawText::of).toList();
  }
}
