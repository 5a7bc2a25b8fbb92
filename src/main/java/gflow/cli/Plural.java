package gflow.cli;

/** {@code 1 GPU}, {@code 2 GPUs}. */
final class Plural {
  private Plural() {}

  static String of(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
