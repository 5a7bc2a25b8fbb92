package gflow.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gflow.api.Gflow.JobQuery;
import gflow.api.Gflow.Selection;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.json.RecordJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/api.md. */
class CurlTest {
  private Api api;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(Curl.present(), "needs curl");
    api = new Api(Api.QUICK);
  }

  @AfterEach
  void stop() throws IOException {
    if (api != null) {
      api.close();
    }
  }

  @Test
  void submit_one_with_a_key() throws Exception {
    String said =
        Curl.of(
            api,
            "-w",
            "%{http_code}",
            "-H",
            "Idempotency-Key: abc",
            "http://gflow/v1/jobs",
            "-d",
            "{\"command\":[\"python\",\"train.py\"],\"gpus\":2}");
    assertThat(said)
        .isEqualTo(
            "{\"jobs\":[{\"job_id\":42,\"tasks\":5,\"name\":\"x\",\"log_path\":\"/l/42.log\","
                + "\"warning\":null}]}\n201");
    assertThat(api.service.asked)
        .containsExactly(new ApiRequest.Submit(api.service.orders(), Optional.of("abc")));
    assertThat(api.service.orders()).hasSize(1);
    assertThat(api.service.orders().getFirst().origin()).isEqualTo(Api.ORIGIN);
  }

  @Test
  void list_show_and_change() throws Exception {
    JobRef job = new JobRef.ById(new JobId(42));
    JobRef task = new JobRef.ArrayTask(new JobId(42), 7);
    assertThat(Curl.of(api, "http://gflow/v1/jobs?state=R,queued&user=ann&limit=5&job=42_7,@"))
        .contains("\"total\":7");
    assertThat(Curl.of(api, "http://gflow/v1/jobs")).contains("\"name\":\"tränen \\\"x\\\"\"");
    assertThat(Curl.of(api, "http://gflow/v1/jobs/@")).contains("\"job_id\":42");
    Curl.of(
        api, "-X", "PATCH", "http://gflow/v1/jobs/42", "-d", "{\"time\":\"+2h\",\"priority\":9}");
    Curl.of(api, "-X", "POST", "http://gflow/v1/jobs/42_7/cancel");
    Curl.of(api, "-X", "POST", "http://gflow/v1/jobs/42/redo", "-d", "{\"failed_only\":true}");
    assertThat(api.service.asked)
        .containsExactly(
            new ApiRequest.Jobs(
                new JobQuery(
                    List.of(task, new JobRef.Last()),
                    Set.of(JobState.PENDING, JobState.RUNNING),
                    List.of("ann"),
                    List.of(),
                    Optional.empty(),
                    5)),
            new ApiRequest.Jobs(
                new JobQuery(List.of(), Set.of(), List.of(), List.of(), Optional.empty(), 1000)),
            new ApiRequest.Show(new JobRef.Last()),
            new ApiRequest.Update(
                List.of(job),
                new TreeMap<>(Map.of("priority", "9", "time", "+2h")),
                Optional.empty()),
            new ApiRequest.Cancel(Selection.of(List.of(task))),
            new ApiRequest.Redo(job, true, Optional.empty()));
  }

  @Test
  void the_log_comes_as_text_and_nothing_but_files_is_read() throws Exception {
    Path log = Files.writeString(api.folder.resolve("42.log"), "zeile\n".repeat(100_000));
    api.answers.logPath = log.toString();
    assertThat(Curl.of(api, "http://gflow/v1/jobs/42/log?content=true"))
        .isEqualTo(Files.readString(log));

    api.answers.logPath = "/dev/zero";
    assertThat(Curl.of(api, "http://gflow/v1/jobs/42/log?content=true"))
        .contains("the output of job 42 is no regular file: /dev/zero");
    api.answers.logPath = "/nowhere";
    assertThat(Curl.of(api, "http://gflow/v1/jobs/42/log?content=true"))
        .contains("job 42 has no log: /nowhere does not exist");
  }

  @Test
  void events_are_server_sent_events() throws Exception {
    api.answers.changes.add(new ChangesView("e", 0, List.of(SampleService.DELTA)));
    String said =
        Curl.output(
            List.of(
                "sh",
                "-c",
                "curl -sN --unix-socket \"$1\" http://gflow/v1/events | sed '/still here/q'",
                "sh",
                api.socket.toString()));
    assertThat(said)
        .isEqualTo(
            ": the events of gflow\n\nevent: job\nid: 2\ndata: "
                + RecordJson.write(SampleService.DELTA)
                + "\n\n: still here\n");
  }

  @Test
  void a_large_body_is_refused_to_curl_too() throws Exception {
    Path big = Files.write(api.folder.resolve("big"), new byte[8 << 20]);
    assertThat(Curl.of(api, "http://gflow/v1/jobs", "--data-binary", "@" + big))
        .isEqualTo("{\"error\":\"the body is larger than 2 MiB\"}\n");
  }
}
