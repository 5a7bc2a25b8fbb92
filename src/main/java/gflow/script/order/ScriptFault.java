package gflow.script.order;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;

/**
 * What a shell would stumble over in a script; those that people should hear of first come first.
 */
public enum ScriptFault {
  NO_TEXT,
  EMPTY,
  DOS_LINE_ENDS,
  NO_READER;

  private static final String DOS = "\r\n";

  /** All that are wrong with it. */
  public static List<ScriptFault> of(byte[] script) {
    String text = new String(script, ISO_8859_1);
    return Arrays.stream(values()).filter(fault -> fault.isIn(text)).toList();
  }

  private boolean isIn(String text) {
    return switch (this) {
      case NO_TEXT -> text.indexOf('\0') >= 0;
      case EMPTY -> text.isBlank();
      case DOS_LINE_ENDS -> text.contains(DOS);
      case NO_READER -> !text.startsWith("#!");
    };
  }

  /** The line for the user. */
  public String line(String name, byte[] script) {
    return switch (this) {
      case NO_TEXT -> name + " is binary, not a script";
      case EMPTY -> name + " is empty: there is nothing to run";
      case DOS_LINE_ENDS ->
          ("%s line %d: Windows line end (CRLF), which a shell cannot read;"
                  + " run: sed -i 's/\\r$//' %s")
              .formatted(name, lineOfDos(new String(script, ISO_8859_1)), name);
      case NO_READER ->
          name + " line 1: it does not say who reads it; write #!/bin/bash or the like as line 1";
    };
  }

  private static long lineOfDos(String text) {
    return text.substring(0, text.indexOf(DOS) + 1).lines().count();
  }
}
