package gflow.script.group;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.Refusal;
import gflow.script.value.BadInput;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "unix:/tmp/ipi_driver",
        "unix:@abstract",
        "tcp:31415",
        "tcp:localhost:31415",
        "tcp:[::1]:31415",
        "http://localhost:8000/health",
        "https://localhost/",
        "file:a b:c",
        "log:ready: \\d+"
      })
  void what_is_written_is_kept(String text) throws BadInput {
    assertThat(Condition.parse(text).text()).isEqualTo(text);
  }

  @Test
  void a_host_may_be_named() throws BadInput {
    assertThat(Condition.parse("tcp:[::1]:7"))
        .isEqualTo(new Condition.Tcp(Optional.of("[::1]"), 7));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "unx:/tmp/a|'unx:/tmp/a' is nothing to wait for; did you mean unix:?",
        "server|'server' is nothing to wait for; write unix:PATH, tcp:PORT, http://HOST:PORT/,"
            + " file:PATH or log:REGEX",
        "unix:|'unix:' does not say what to wait for; write unix:PATH, tcp:PORT,"
            + " http://HOST:PORT/, file:PATH or log:REGEX",
        "tcp:0|'tcp:0' has no port from 1 to 65535; write tcp:31415",
        "tcp:70000|'tcp:70000' has no port from 1 to 65535; write tcp:31415",
        "tcp:a:b:1|'tcp:a:b:1' has no port from 1 to 65535; write tcp:31415",
        "http:8000|'http:8000' is no address; write http://localhost:8000/health",
        "log:(|'log:(' is no regular expression: Unclosed group"
      })
  void what_cannot_be_waited_for_is_said_in_one_line(String text, String line) {
    Refusal.of(() -> Condition.parse(text), line);
  }
}
