package gflow.script.value;

/** Names and notes that are shown in tables: short, and without control characters. */
public final class DisplayNames {
  private static final int LONGEST_NAME = 200;
  private static final int LONGEST_LABEL = 64;
  private static final int LONGEST_NOTE = 1000;

  private DisplayNames() {}

  public static String job(String name) throws BadInput {
    if (name.isBlank()) {
      throw new BadInput("the name is empty; write --name NAME or leave it out");
    }
    return checked("name", name, LONGEST_NAME);
  }

  public static String label(String option, String value) throws BadInput {
    return switch (option) {
      case "comment" -> checked(option, value, LONGEST_NOTE);
      case "project", "account", "partition", "qos" -> {
        if (value.isBlank()) {
          throw new BadInput(option + " is empty; write --" + option + " NAME or leave it out");
        }
        yield checked(option, value.strip(), LONGEST_LABEL);
      }
      default -> checked(option, value, LONGEST_NAME);
    };
  }

  private static String checked(String what, String text, int longest) throws BadInput {
    if (hasControl(text)) {
      throw new BadInput("the " + what + " has a control character in it; use plain text");
    }
    if (text.length() > longest) {
      throw new BadInput(
          "the %s has %d characters; %d are the most".formatted(what, text.length(), longest));
    }
    return text;
  }

  public static boolean hasControl(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }

  /** The last part of a path. */
  public static String base(String path) {
    String plain = path.replaceFirst("/+$", "");
    return plain.substring(plain.lastIndexOf('/') + 1);
  }
}
