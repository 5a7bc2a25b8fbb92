package gflow;

/** The version of this program, as the build wrote it into the jar. */
final class Version {
  private Version() {}

  static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "unpacked" : version;
  }
}
