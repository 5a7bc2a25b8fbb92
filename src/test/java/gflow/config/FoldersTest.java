package gflow.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FoldersTest {
  @Test
  void without_any_variable_all_is_under_home() throws BadConfig {
    var folders = Folders.of(Map.of("HOME", "/home/ann"), 1000);
    assertThat(folders.configFile()).isEqualTo(Path.of("/home/ann/.config/gflow/gflow.toml"));
    assertThat(folders.database()).isEqualTo(Path.of("/home/ann/.local/share/gflow/gflow.db"));
    assertThat(folders.logs()).isEqualTo(Path.of("/home/ann/.local/share/gflow/logs"));
    assertThat(folders.jobs()).isEqualTo(Path.of("/home/ann/.local/share/gflow/jobs"));
    assertThat(folders.lock()).isEqualTo(Path.of("/home/ann/.local/share/gflow/lock"));
    assertThat(folders.socket()).isEqualTo(Path.of("/home/ann/.local/share/gflow/run/gflow.sock"));
    assertThat(folders.door()).isEqualTo(Path.of("/home/ann/.local/share/gflow/run/door"));
  }

  @Test
  void the_xdg_folders_count_if_they_are_absolute_but_never_the_run_time_one() throws BadConfig {
    var environment =
        Map.of(
            "HOME", "/h",
            "XDG_CONFIG_HOME", "/c",
            "XDG_DATA_HOME", "relative",
            "XDG_RUNTIME_DIR", "/run/user/1000");
    assertThat(Folders.of(environment, 1000))
        .isEqualTo(
            new Folders(
                Path.of("/c/gflow"),
                Path.of("/h/.local/share/gflow"),
                Path.of("/h/.local/share/gflow/run"),
                Path.of("/h/.local/share/gflow/run/gflow.sock")));
  }

  @Test
  void gflow_home_moves_all_of_it() throws BadConfig {
    var environment =
        Map.of("HOME", "/h", "GFLOW_HOME", "/g/", "XDG_RUNTIME_DIR", "/r", "XDG_CONFIG_HOME", "/c");
    var home = Path.of("/g");
    assertThat(Folders.of(environment, 1000))
        .isEqualTo(new Folders(home, home, home.resolve("run"), home.resolve("run/gflow.sock")));
  }

  @Test
  void a_socket_that_is_too_deep_moves_to_tmp_and_two_of_them_do_not_meet() throws BadConfig {
    String longest = "/" + "x".repeat(107 - "/".length() - "/run/gflow.sock".length());
    assertThat(Folders.of(Map.of("GFLOW_HOME", longest), 7).socket().toString())
        .startsWith(longest)
        .hasSize(107);

    var one = Folders.of(Map.of("GFLOW_HOME", longest + "Aa"), 7);
    var two = Folders.of(Map.of("GFLOW_HOME", longest + "BB"), 7);
    assertThat(one.socket().toString()).startsWith("/tmp/gflow-7/").endsWith("/gflow.sock");
    assertThat(one.socket()).isNotEqualTo(two.socket());
    assertThat(one.door()).isEqualTo(Path.of(longest + "Aa", "run", "door"));
  }

  @Test
  void a_home_that_is_not_absolute_is_refused_and_not_passed_over() {
    assertThatThrownBy(() -> Folders.of(Map.of("GFLOW_HOME", "here", "HOME", "/home/ann"), 7))
        .isInstanceOf(BadConfig.class)
        .hasMessage("GFLOW_HOME is no absolute path: 'here'");
  }

  @Test
  void a_path_with_a_line_end_is_refused_because_the_door_speaks_in_lines() {
    assertThatThrownBy(() -> Folders.of(Map.of("GFLOW_HOME", "/a\nb"), 7))
        .isInstanceOf(BadConfig.class)
        .hasMessage("the folder of gflow has a line end in its path: /a?b");
  }
}
