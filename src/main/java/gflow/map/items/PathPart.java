package gflow.map.items;

/** Which part of a value a placeholder stands for, if the value is the path of a file. */
enum PathPart {
  WHOLE(""),
  STEM("/."),
  DIR("//"),
  NAME("/"),
  WITHOUT_SUFFIX(".");

  /** How GNU parallel writes it inside the braces. Of two that fit, the longer comes first. */
  final String sign;

  PathPart(String sign) {
    this.sign = sign;
  }

  String of(String value) {
    return switch (this) {
      case WHOLE -> value;
      case NAME -> name(value);
      case DIR -> dir(value);
      case STEM -> withoutSuffix(name(value));
      case WITHOUT_SUFFIX -> withoutSuffix(value);
    };
  }

  private static String name(String path) {
    int end = end(path);
    return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
  }

  private static String dir(String path) {
    int slash = path.lastIndexOf('/', end(path) - 1);
    if (slash < 0) {
      return path.startsWith("/") ? "/" : ".";
    }
    String dir = path.substring(0, end(path.substring(0, slash)));
    return dir.isEmpty() ? "/" : dir;
  }

  /** Where the name ends: before slashes at the end. */
  private static int end(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    return end;
  }

  /** The dot that a hidden file starts with begins no suffix. */
  private static String withoutSuffix(String path) {
    int dot = path.lastIndexOf('.');
    int name = path.lastIndexOf('/') + 1;
    return dot > name && dot < path.length() - 1 ? path.substring(0, dot) : path;
  }
}
