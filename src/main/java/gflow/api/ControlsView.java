package gflow.api;

import java.util.List;

/** All that an operator has set, by {@code gctl} or in the configuration. */
public record ControlsView(List<Setting> settings) {
  public ControlsView {
    settings = List.copyOf(settings);
  }

  /** {@code from}: gctl or gflow.toml; {@code change}: what to type, or to edit, to change it. */
  public record Setting(String what, String value, String from, String change) {}
}
