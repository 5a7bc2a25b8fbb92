package gflow.door;

/** The command turned out to need a process of its own; nothing was said or done yet. */
final class NeedsOwnProcess extends RuntimeException {
  private static final long serialVersionUID = 1;

  NeedsOwnProcess(String why) {
    super(why);
  }
}
