package gflow.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.env.Environment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoginShellTest {
  private static boolean is(String line) {
    return LoginShell.is(Launching.interpreter((line + "\n").getBytes(UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#!/bin/bash -l",
        "#! /usr/bin/bash --login",
        "#!/bin/bash -el",
        "#!/bin/bash -x -l",
        "#!/usr/bin/env -S bash -l"
      })
  void a_bash_that_reads_the_profile(String line) {
    assertThat(is(line)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#!/bin/bash",
        "#!/bin/bash -e",
        "#!/bin/bash --noprofile",
        "#!/bin/sh -l",
        "#!/usr/bin/python3 -l",
        "echo bash -l"
      })
  void any_other_reader(String line) {
    assertThat(is(line)).isFalse();
  }

  @Test
  void the_users_own_file_is_read_as_it_would_have_been() {
    var environment = new Environment(List.of("A=1", "BASH_ENV=/it's mine"));

    assertThat(new String(LoginShell.text(List.of("/a b", "/c"), environment), UTF_8))
        .isEqualTo(
            """
            PATH='/a b:/c':$PATH
            BASH_ENV='/it'\\''s mine'
            [ -r "$BASH_ENV" ] && . "$BASH_ENV"
            """);
    assertThat(new String(LoginShell.text(List.of("/a"), new Environment(List.of("A=1"))), UTF_8))
        .isEqualTo("PATH='/a':$PATH\nunset BASH_ENV\n");
  }
}
