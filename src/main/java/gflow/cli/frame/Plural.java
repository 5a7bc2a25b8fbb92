package gflow.cli.frame;

/** {@code 1 GPU}, {@code 2 GPUs}. */
public final class Plural {
  private Plural() {}

  public static String of(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
