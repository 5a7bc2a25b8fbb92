package gflow.config;

import java.util.List;

/** The config file is wrong: every problem, one line each, {@code file:line: what}. */
public final class BadConfig extends Exception {
  private static final long serialVersionUID = 1;

  BadConfig(List<String> problems) {
    super(String.join("\n", problems));
  }

  public List<String> problems() {
    return String.valueOf(getMessage()).lines().toList();
  }
}
