package gflow.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.json.Json;
import gflow.script.order.Order;
import gflow.script.order.Order.Body;
import gflow.script.order.Order.Origin;
import gflow.script.value.BadInput;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderJsonTest {
  private static Order read(String json) throws Exception {
    return OrderJson.read(Json.parse(json), Api.ORIGIN);
  }

  @Test
  void a_command_with_options_of_every_kind() throws Exception {
    Order order =
        read(
            """
            {"command":["python","train.py"],"gpus":2,"gpu-memory":0.5,"time":"2:00:00",
             "hold":true,"requeue":false,"cpus_per_task":4,"param":["lr=1,2","seed=1:5"],
             "name":null}
            """);
    assertThat(order.body()).isEqualTo(new Body.Command(List.of("python", "train.py")));
    assertThat(order.options())
        .isEqualTo(
            Map.of(
                "gpus", List.of("2"),
                "gpu-memory", List.of("0.5"),
                "time", List.of("2:00:00"),
                "hold", List.of(""),
                "cpus-per-task", List.of("4"),
                "param", List.of("lr=1,2", "seed=1:5")));
    assertThat(order.origin()).isEqualTo(Api.ORIGIN);
  }

  @Test
  void a_script_has_a_name_and_arguments() throws Exception {
    var body =
        read("{\"script\":\"#!/bin/sh\\nä\",\"script-name\":\"x.sh\",\"arguments\":[\"1\"]}");
    assertThat(body.body()).isInstanceOf(Body.Script.class);
    var script = (Body.Script) body.body();
    assertThat(script.name()).isEqualTo("x.sh");
    assertThat(script.text()).isEqualTo("#!/bin/sh\nä".getBytes(UTF_8));
    assertThat(script.arguments()).containsExactly("1");
  }

  @Test
  void a_group_is_read_as_it_was_written() throws Exception {
    var order =
        read(
            """
            {"group":"[a]\\ncommand = 'ä'","group_name":"/w/md.toml","gpus":1}
            """);
    assertThat(order.options()).isEqualTo(Map.of("gpus", List.of("1")));
    for (Order one : List.of(order, OrderJson.read(OrderJson.write(order), Api.ORIGIN))) {
      var group = (Body.Group) one.body();
      assertThat(group.name()).isEqualTo("/w/md.toml");
      assertThat(new String(group.text(), UTF_8)).isEqualTo("[a]\ncommand = 'ä'");
    }
  }

  @Test
  void an_origin_of_its_own_but_never_another_owner() throws Exception {
    Order order =
        read(
            """
            {"wrap":"a && b","folder":"/w","environment":{"X":"1","Y":"ü"},"umask":"0077",
             "ulimits":[],"files":{"c.yml":"AAH/"}}
            """);
    assertThat(order.body()).isEqualTo(new Body.Wrap("a && b"));
    assertThat(order.origin().owner()).isEqualTo(Api.ORIGIN.owner());
    assertThat(order.origin().folder()).isEqualTo("/w");
    assertThat(order.origin().environment()).isEqualTo("X=1\0Y=ü\0".getBytes(UTF_8));
    assertThat(order.origin().umask()).isEqualTo(0077);
    assertThat(order.origin().ulimits()).isEmpty();
    assertThat(order.files().get("c.yml")).isEqualTo(new byte[] {0, 1, -1});
  }

  @Test
  void what_is_written_is_read_back_byte_for_byte() throws Exception {
    byte[] odd = {'A', '=', -1, -2, 0, 'B', 'A', 'S', 'H', '_', '%', '%', '=', '(', ')', 0};
    var origin = new Origin(Api.ORIGIN.owner(), "/o", odd, 0002, List.of("a", "b"));
    var options = new TreeMap<>(Map.of("gpus", List.of("2"), "hold", List.of("")));
    var files = new TreeMap<>(Map.of("f", odd));
    var order = new Order(options, new Body.Script("s", odd, List.of("x", "")), origin, files);

    var back = OrderJson.read(Json.parse(Json.text(OrderJson.write(order))), Api.ORIGIN);

    assertThat(back).usingRecursiveComparison().isEqualTo(order);
  }

  @Test
  void orders_that_share_an_origin_send_it_once() throws Exception {
    var other = new Origin(Api.ORIGIN.owner(), "/other", new byte[] {}, 0, List.of());
    var wrap = new Body.Wrap("x");
    var one = new Order(new TreeMap<>(), wrap, other, new TreeMap<>());
    var two = new Order(new TreeMap<>(), wrap, Api.ORIGIN, new TreeMap<>());

    String json = Json.text(OrderJson.writeAll(List.of(one, one, two)));

    assertThat(json.split("environment_bytes", -1)).hasSize(3);
    assertThat(OrderJson.readAll(JsonFields.of(Json.parse(json), "orders"), Api.ORIGIN))
        .usingRecursiveComparison()
        .isEqualTo(List.of(one, one, two));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]| expected an order as a JSON object, was []",
        "{}| an order has one of command, script, wrap and group",
        "{\"wrap\":\"a\",\"command\":[\"b\"]}| an order has one of command, script, wrap and group",
        "{\"command\":\"a b\"}| command: expected a list of words (a shell line is \"wrap\"), was"
            + " \"a b\"",
        "{\"command\":[]}| command is empty: there is nothing to run",
        "{\"command\":[\"a\",1]}| command[1]: expected a text, was 1",
        "{\"command\":{}}| command: expected a list, was {}",
        "{\"wrap\":1}| wrap: expected a text, was 1",
        "{\"wrap\":\"a\\u0000\"}| wrap must not hold a NUL character",
        "{\"wrap\":\"a\",\"arguments\":[]}| arguments and script_name belong to a script",
        "{\"script\":\"a\",\"script_bytes\":\"\"}| script and script_bytes exclude each other",
        "{\"script\":\"a\",\"script_name\":\"\"}| script_name is empty; give the script's"
            + " name or path, or leave it out",
        "{\"wrap\":\"a\",\"folder\":\"b\"}| folder must be absolute, was b",
        "{\"wrap\":\"a\",\"umask\":\"9\"}| umask: expected octal digits as in \"0022\", was \"9\"",
        "{\"wrap\":\"a\",\"umask\":22}| umask: expected a text, was 22",
        "{\"wrap\":\"a\",\"environment\":[]}| environment: expected an object, was []",
        "{\"wrap\":\"a\",\"environment\":{\"X\":1}}| environment.X: expected a text, was 1",
        "{\"wrap\":\"a\",\"environment\":{\"X=\":\"1\"}}| environment: a name must not be empty or"
            + " hold =, was \"X=\"",
        "{\"wrap\":\"a\",\"environment_bytes\":\"?\"}| environment_bytes: expected base64, was"
            + " \"?\"",
        "{\"wrap\":\"a\",\"files\":{\"f\":true}}| files.f: expected base64, was true",
        "{\"wrap\":\"a\",\"gpus\":{}}| gpus: expected a text, number, true or false, was {}",
        "{\"wrap\":\"a\",\"gpus\":[[1]]}| gpus: expected a text, number, true or false, was [1]",
        "{\"wrap\":\"a\",\"a-b\":1,\"a_b\":2}| a_b is there twice, with - and with _",
      })
  void what_is_wrong_is_said_in_one_line(String json, String line) {
    assertThatThrownBy(() -> read(json)).isInstanceOf(BadInput.class).hasMessage(line);
  }
}
