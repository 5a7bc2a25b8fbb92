package gflow.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong gets its status and one line, and changes nothing. */
class BadRequestTest {
  private static Api api;

  @BeforeAll
  static void start() throws IOException {
    api = new Api(Api.QUICK);
  }

  @AfterAll
  static void stop() throws IOException {
    api.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "GET|/||404|there is no / (docs/api.md)",
        "GET|/v1||404|there is no /v1 (docs/api.md)",
        "GET|/v2/status||404|there is no /v2/status (docs/api.md)",
        "GET|/v1/nothing||404|there is no /v1/nothing (docs/api.md)",
        "GET|/v1/status/||404|there is no /v1/status/ (docs/api.md)",
        "GET|/v1/jobs/42/log/x||404|there is no /v1/jobs/42/log/x (docs/api.md)",
        "POST|/v1/jobs/42/start||404|there is no /v1/jobs/42/start (docs/api.md)",
        "GET|/v1/jobs/13||404|no job 13 (gqueue lists them)",
        "GET|/v1/jobs/13/wait||404|no job 13 (gqueue lists them)",
        "GET|/v1/jobs/13/log||404|no job 13 (gqueue lists them)",
        "POST|/v1/jobs/13/cancel||404|no job 13 (gqueue lists them)",
        "POST|/v1/jobs/13/hold||404|no job 13 (gqueue lists them)",
        "POST|/v1/jobs/49/hold||409|job 49 runs already",
        "DELETE|/v1/jobs||405|/v1/jobs takes GET or POST, not DELETE",
        "PUT|/v1/jobs/42||405|/v1/jobs/42 takes GET or PATCH, not PUT",
        "POST|/v1/status||405|/v1/status takes GET, not POST",
        "GET|/v1/jobs/42/cancel||405|/v1/jobs/42/cancel takes POST, not GET",
        "GET|/v1/jobs/42/cards||405|/v1/jobs/42/cards takes POST, not GET",
        "POST|/v1/jobs/42/cards|{\"have\":[\"x\"]}|400|have: expected indices of GPUs, was \"x\"",
        "POST|/v1/jobs/42/cards|{\"patience\":99999}|400|patience is 0 to 20000 milliseconds",
        "POST|/v1/jobs/42/cards|{\"give\":[3]}|400|there is no field give; there are have,"
            + " call_back, back, patience",
        "POST|/v1/jobs/42/progress|{}|400|text is missing: say how far it is, as in \"812/2000"
            + " done\"",
        "GET|/v1/changes?epoch=x||400|after: expected the number of a change, was null",
        "GET|/v1/changes?after=-1||400|after: expected the number of a change, was \"-1\"",
        "GET|/v1/changes?after=1&patience=99999||400|patience is 0 to 20000 milliseconds",
        "GET|/v1/changes?after=9||410|not kept",
        "GET|/v1/events?epoch=x&after=9||410|not kept",
        "GET|/v1/events?after=1&x=2||400|there is no parameter x; there are after, epoch, patience",
        "POST|/v1/snapshot||405|/v1/snapshot takes GET, not POST",
        "GET|/v1/down||405|/v1/down takes POST, not GET",
        "GET|/v1/jobs/x||400|job id 'x' is not understood; write 42, 42_7 or @",
        "GET|/v1/jobs/0||400|job id '0': ids start at 1",
        "GET|/v1/jobs/-1||400|job id '-1' is not understood; write 42, 42_7 or @",
        "GET|/v1/jobs/42_||400|job id '42_' is not understood; write 42, 42_7 or @",
        "GET|/v1/jobs/42_99999999999||400|job id '42_99999999999' is not understood; write 42, 42_7"
            + " or @",
        "GET|/v1/jobs/99999999999999999999||400|job id '99999999999999999999' is not"
            + " understood; write 42, 42_7 or @",
        "GET|/v1/jobs/42/log?content=yes||400|content: expected true or false, was \"yes\"",
        "GET|/v1/jobs?limit=-1||400|limit: expected a whole number, was \"-1\"",
        "GET|/v1/jobs?colour=red||400|there is no parameter colour; there are job, state, user,"
            + " name, project, ended_since, limit",
        "GET|/v1/status?x=1||400|there is no parameter x; this route takes none",
        "GET|/v1/jobs?state=PENDING,x||400|there is no state 'x'; the states are PENDING RUNNING"
            + " COMPLETING COMPLETED FAILED CANCELLED TIMEOUT OUT_OF_MEMORY NODE_FAIL (PD R CG CD F"
            + " CA TO OOM NF), H for held, all",
        "GET|/v1/jobs?state=R,H||400|held jobs are PENDING here, as all that wait: name PENDING, or"
            + " the jobs",
        "GET|/v1/stats?since=monday||400|since: expected a time as in 2030-01-31T12:00:00Z, was"
            + " \"monday\"",
        "POST|/v1/control|{\"type\":\"prune\",\"ended_before\":\"+999999999-01-01T00:00:00Z\"}|400|"
            + "ended_before: expected a time as in 2030-01-31T12:00:00Z, was"
            + " \"+999999999-01-01T00:00:00Z\"",
        "GET|/v1/stats?since=-999999999-01-01T00:00:00Z||400|since: expected a time as in"
            + " 2030-01-31T12:00:00Z, was \"-999999999-01-01T00:00:00Z\"",
        "POST|/v1/steps|{\"order\":{\"job_id\":-1,\"pid\":1,\"start_time\":1,\"name\":\"x\","
            + "\"joined\":false,\"request\":{\"tasks\":1,\"cpus_per_task\":1,\"exact\":true,"
            + "\"overlap\":false,\"memory\":{\"type\":\"shared\"},\"gpus\":"
            + "{\"type\":\"none\"}}}}|400|order"
            + " is not understood: value: there is no job -1 or no process 1",
        "POST|/v1/steps|{\"order\":{\"job_id\":1,\"pid\":1,\"start_time\":1,\"name\":\"x\","
            + "\"time_limit\":\"PT999999999999999H\",\"joined\":false,\"request\":{\"tasks\":1,"
            + "\"cpus_per_task\":1,\"exact\":true,\"overlap\":false,"
            + "\"memory\":{\"type\":\"shared\"},\"gpus\":"
            + "{\"type\":\"none\"}}}}|400|order is not understood: value: time_limit is at most"
            + " 3650 days",
        "POST|/v1/steps|{\"order\":{\"job_id\":1,\"pid\":1,\"start_time\":1,\"name\":\"x\","
            + "\"joined\":false,\"request\":{\"tasks\":2000000000,\"cpus_per_task\":2000000000,"
            + "\"exact\":true,\"overlap\":false,\"memory\":{\"type\":\"shared\"},\"gpus\":"
            + "{\"type\":\"none\"}}}}|400|order is not understood: request: bad step: tasks are 1"
            + " to 65536, was 2000000000",
        "POST|/v1/steps|{\"order\":{\"job_id\":1,\"pid\":1,\"start_time\":1,\"joined\":false}}|400|"
            + "order is not understood: value: name is missing",
        "POST|/v1/join|{\"order\":{\"pid\":1,\"start_time\":1,\"holds\":false}}|400|order is not"
            + " understood: value: job is missing, or there is no process 1",
        "POST|/v1/jobs||400|an order has one of command, script, wrap and group",
        "POST|/v1/jobs|nonsense|400|this is no JSON: expected null at 1:1, was nonsense",
        "POST|/v1/jobs|{\"wrap\":\"a\"} x|400|this is no JSON: expected nothing more at 1:14, was"
            + " x",
        "POST|/v1/jobs|[1]|400|expected an order as a JSON object, was [1]",
        "POST|/v1/jobs|{\"jobs\":{}}|400|jobs: expected a list, was {}",
        "POST|/v1/jobs|{\"jobs\":[]}|400|jobs is empty: there is nothing to submit",
        "POST|/v1/jobs|{\"jobs\":[{\"wrap\":\"a\"},{\"wrap\":2}]}|400|jobs[1]: wrap: expected a"
            + " text, was 2",
        "POST|/v1/jobs|{\"jobs\":[{}],\"x\":1}|400|there is no field x; there are jobs, origin",
        "POST|/v1/jobs|{\"jobs\":[{}],\"origin\":{\"owner\":\"bob\"}}|400|there is no field owner;"
            + " there are folder, environment, environment_bytes, umask, ulimits",
        "POST|/v1/jobs?dry_run=maybe|{\"wrap\":\"a\"}|400|dry_run: expected true or false, was"
            + " \"maybe\"",
        "POST|/v1/jobs|{\"wrap\":\"a\",\"refuse\":1}|409|gpus: need 9, the machine has 4",
        "POST|/v1/jobs|{\"wrap\":\"a\",\"misspelt\":1}|400|there is no option --misspelt",
        "PATCH|/v1/jobs/42||400|there is nothing to change: give options, as in"
            + " {\"time\":\"2:00:00\"}",
        "PATCH|/v1/jobs/42|{\"time\":[1,2]}|400|time: expected a text, number, true or false, was"
            + " [1,2]",
        "POST|/v1/cancel||400|say which jobs: jobs, states, users, names, or \"all\":true",
        "POST|/v1/cancel|{\"jobs\":[4.5]}|400|jobs[0]: expected a text, was 4.5",
        "POST|/v1/cancel|{\"all\":\"yes\"}|400|all: expected true or false, was \"yes\"",
        "POST|/v1/hold|{\"jobs\":[]}|400|jobs is empty: say which, as in [41,\"42_7\"]",
        "POST|/v1/release|{\"jobs\":[42],\"begin\":\"soon\"}|400|begin: expected a time as in"
            + " 2030-01-31T12:00:00Z, was \"soon\"",
        "POST|/v1/control|{\"type\":\"explode\"}|400|type: expected one of set_gpus, drain,"
            + " undrain, pause, resume, set_limit, ignore, prune, was explode",
        "POST|/v1/control|{\"type\":\"drain\"}|400|gpus: expected the indices of GPUs, as in [0,2]",
        "POST|/v1/control|{\"type\":\"drain\",\"gpus\":[-1]}|400|gpus: expected the indices of"
            + " GPUs, as in [0,2], was -1",
        "POST|/v1/control|{\"type\":\"ignore\"}|400|name is missing",
        "POST|/v1/control|{\"type\":\"set_limit\",\"subject\":\"42\"}|400|limit: expected a whole"
            + " number (0 removes the limit)",
        "POST|/v1/control|{\"type\":\"undrain\",\"gpus\":[0],\"why\":\"x\"}|400|there is no field"
            + " why; there are those of undrain in docs/api.md",
        "POST|/v1/jobs/42/cancel|{\"jobs\":[1]}|400|there is no field jobs; there are none",
        "POST|/v1/down|{\"cancel\":true}|400|there is no field cancel; there are cancel_jobs",
      })
  void one_line_and_its_status(String method, String target, String body, int status, String line)
      throws IOException {
    var wanted = status + " " + gflow.json.Json.text(java.util.Map.of("error", line));
    assertThat(api.ask(method, target, body == null ? "" : body)).isEqualTo(wanted);
  }

  @Test
  void the_service_is_not_asked_for_what_is_not_understood() throws IOException {
    int before = api.service.asked.size();
    api.ask("POST", "/v1/cancel", "{\"all\":1}");
    api.ask("POST", "/v1/jobs", "{\"jobs\":[{\"wrap\":\"a\"},{}]}");
    api.ask("GET", "/v1/down", "");
    assertThat(api.service.asked).hasSize(before);
  }

  @Test
  void deep_json_is_refused_and_not_recursed_into() throws IOException {
    assertThat(api.ask("POST", "/v1/jobs", "[".repeat(1_000_000)))
        .startsWith("400 {\"error\":\"this is no JSON: more than 100 levels deep");
  }

  @Test
  void what_is_no_utf8_is_said_so() throws IOException {
    try (var wire = HttpWire.connect(api.socket)) {
      var response = wire.ask("POST", "/v1/jobs", "", new byte[] {'"', -1, '"'});
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.text()).isEqualTo("{\"error\":\"the body is no UTF-8\"}\n");
    }
  }

  @Test
  void what_is_no_http_is_answered_and_closed() throws IOException {
    assertThat(api.raw("hello\r\n\r\n")).startsWith("HTTP/1.1 400").contains("{\"error\":");
    assertThat(api.raw("GET /v1/status HTTP/9.9\r\n\r\n")).contains("{\"error\":");
    String header = "X: " + "x".repeat(70_000);
    assertThat(api.raw("GET /v1/status HTTP/1.1\r\nHost: g\r\n" + header + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431")
        .contains("{\"error\":");
    assertThat(api.client.ask(new ApiRequest.Status())).isInstanceOf(Answer.Ok.class);
  }

  @Test
  void a_path_cannot_climb() throws IOException {
    assertThat(api.ask("GET", "/v1/../v1/jobs/%2e%2e/status", "")).startsWith("4");
  }
}
