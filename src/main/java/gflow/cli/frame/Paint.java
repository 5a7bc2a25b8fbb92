package gflow.cli.frame;

/** The colours that a terminal shows; where there is none, the text stays as it is. */
public enum Paint {
  PLAIN(""),
  GREEN("32"),
  YELLOW("33"),
  RED("31"),
  DIM("2"),
  BOLD("1");

  private final String code;

  Paint(String code) {
    this.code = code;
  }

  public String apply(String text, boolean colour) {
    return colour && this != PLAIN ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  public static Paint ofState(String state) {
    return switch (state) {
      case "RUNNING", "COMPLETING" -> GREEN;
      case "PENDING" -> YELLOW;
      case "FAILED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL" -> RED;
      default -> DIM;
    };
  }
}
