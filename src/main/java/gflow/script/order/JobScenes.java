package gflow.script.order;

import gflow.job.BlobId;
import gflow.job.JobSpec;
import gflow.script.env.Environments;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.DisplayNames;
import java.util.List;
import java.util.Optional;

/** Where and with what surroundings a job runs. */
record JobScenes(Order order, Given given, BlobContents blobs, Environments environments) {
  private static final List<String> MODES = List.of("append", "truncate", "a", "t");

  JobSpec.Scene scene() throws BadInput {
    Order.Origin origin = order.origin();
    Optional<String> chdir = path("chdir", origin.folder());
    String folder = chdir.orElse(origin.folder());
    return new JobSpec.Scene(
        folder,
        environment(folder),
        origin.umask(),
        origin.ulimits(),
        conda(),
        output(folder),
        config());
  }

  private BlobId environment(String folder) throws BadInput {
    Order.Origin origin = order.origin();
    Optional<String> submitDir = Optional.of(origin.folder()).filter(f -> !f.equals(folder));
    String export = given.value("export").orElse("ALL");
    Environments.Kept kept =
        given.about(
            List.of("export"), () -> environments.keep(origin.environment(), export, submitDir));
    blobs.put(kept.id(), kept.block());
    return kept.id();
  }

  private Optional<String> conda() throws BadInput {
    Optional<String> prefix = given.value("conda-prefix");
    if (given.has("conda-env") && prefix.isEmpty()) {
      throw new BadInput(
          "conda environment '"
              + given.value("conda-env").orElse("")
              + "' was not looked up; give its folder as conda-prefix");
    }
    if (prefix.isPresent() && !prefix.get().startsWith("/")) {
      throw new BadInput("conda-prefix '" + prefix.get() + "' is no absolute path");
    }
    return prefix;
  }

  private JobSpec.Output output(String folder) throws BadInput {
    String mode = given.read("open-mode", JobScenes::mode).orElse("append");
    return new JobSpec.Output(
        file("output", folder), file("error", folder), file("input", folder), mode.startsWith("a"));
  }

  private static String mode(String word) throws BadInput {
    if (!MODES.contains(word)) {
      throw new BadInput("open-mode '" + word + "' is neither append nor truncate");
    }
    return word;
  }

  private Optional<String> file(String option, String folder) throws BadInput {
    boolean none = given.value(option).filter(v -> v.equalsIgnoreCase("none")).isPresent();
    return none ? Optional.of("/dev/null") : path(option, folder);
  }

  /** The absolute path that an option gives, if it is given. */
  private Optional<String> path(String option, String folder) throws BadInput {
    return given.read(option, path -> absolute(option, path, folder));
  }

  private static String absolute(String option, String path, String folder) throws BadInput {
    if (path.isBlank() || DisplayNames.hasControl(path)) {
      throw new BadInput(option + " '" + path + "' is no path; write --" + option + " PATH");
    }
    return path.startsWith("/") ? path : joined(folder, path);
  }

  private static String joined(String folder, String path) {
    String rest = path.replaceFirst("^(\\./+)+", "");
    if (rest.isEmpty() || rest.equals(".")) {
      return folder;
    }
    return folder.endsWith("/") ? folder + rest : folder + "/" + rest;
  }

  private Optional<JobSpec.Attachment> config() throws BadInput {
    Optional<String> config = given.value("config");
    if (config.isEmpty()) {
      return Optional.empty();
    }
    String name = DisplayNames.base(config.get());
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new BadInput("config '" + config.get() + "' is no file");
    }
    byte[] content = file(order, "config", config.get());
    return Optional.of(new JobSpec.Attachment(name, blobs.add(content)));
  }

  /** The content that came with the order, under the name that the option has. */
  static byte[] file(Order order, String option, String name) throws BadInput {
    byte[] content = order.files().get(name);
    if (content == null) {
      throw new BadInput(option + " '" + name + "': there is no such file in the order");
    }
    return content;
  }
}
