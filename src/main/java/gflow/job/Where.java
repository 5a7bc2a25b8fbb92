package gflow.job;

/** Where an attempt runs: which engine has it, and what that needs to find it again. */
public sealed interface Where {
  /**
   * On this machine, in that boot of it: after the next one, what the attempt has written may be
   * lost.
   */
  record Here(String boot) implements Where {}

  /**
   * With an engine that has a queue of its own. {@code id} is what that calls the attempt, and
   * empty until it has said so.
   */
  record There(String engine, String id) implements Where {}

  /** Of one that runs on another machine no boot of this one is known. */
  static String boot(Where where) {
    return where instanceof Here(String boot) ? boot : "";
  }
}
