package gflow.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.Gflow.Control;
import gflow.api.Gflow.JobQuery;
import gflow.api.Gflow.Selection;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.job.Recipients;
import gflow.job.StepRef;
import gflow.job.StepRequest;
import gflow.script.order.Order;
import gflow.script.order.Order.Body;
import gflow.script.order.Order.Origin;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every method of the service, through client and server. */
class RoundTripTest {
  private static final JobRef JOB = new JobRef.ById(new JobId(42));
  private static final JobRef TASK = new JobRef.ArrayTask(new JobId(42), 7);
  private static final JobRef LAST = new JobRef.Last();
  private static final JobRef NONE = new JobRef.ById(new JobId(13));
  private static final Instant TIME = Instant.parse("2030-01-31T12:00:00.123456789Z");

  private Api api;

  @BeforeEach
  void start() throws IOException {
    api = new Api(Api.QUICK);
  }

  @AfterEach
  void stop() throws IOException {
    api.close();
  }

  private static Order order(String folder) {
    byte[] environment = "A=\u00e4\0".getBytes(UTF_8);
    var origin = new Origin(Api.ORIGIN.owner(), folder, environment, 0077, List.of("core 0"));
    var options = new TreeMap<>(Map.of("gpus", List.of("2")));
    return new Order(options, new Body.Command(List.of("a", "b c")), origin, new TreeMap<>());
  }

  @Test
  void submit_brings_the_orders_whole_and_the_key() {
    var orders = List.of(order("/a"), order("/b"));

    assertThat(api.client.ask(new ApiRequest.Submit(orders, Optional.of("k-1"))))
        .isEqualTo(Answer.ok(List.of(SampleService.RECEIPT, SampleService.RECEIPT)));

    assertThat(api.service.orders()).usingRecursiveComparison().isEqualTo(orders);
    assertThat(api.service.asked)
        .containsExactly(new ApiRequest.Submit(api.service.orders(), Optional.of("k-1")));
  }

  @Test
  void a_script_and_an_environment_of_a_megabyte_arrive() {
    byte[] big = new byte[500_000];
    java.util.Arrays.fill(big, (byte) 'ü');
    var origin = new Origin(Api.ORIGIN.owner(), "/", big, 0, List.of());
    var script = new Body.Script("s", big, List.of());
    var order = new Order(new TreeMap<>(), script, origin, new TreeMap<>());

    assertThat(api.client.ask(new ApiRequest.Submit(List.of(order), Optional.empty())))
        .isInstanceOf(Answer.Ok.class);
    var arrived = api.service.orders().getFirst();
    assertThat(arrived.origin().environment()).isEqualTo(big);
    assertThat(((Body.Script) arrived.body()).text()).isEqualTo(big);
  }

  @Test
  void a_key_cannot_smuggle_a_header_in() {
    assertThat(
            api.client.ask(new ApiRequest.Submit(List.of(order("/a")), Optional.of("k\r\nX: 1"))))
        .isEqualTo(
            new Answer.No<>(Answer.Kind.USAGE, "a key is printable ASCII, at most 200 characters"));
    assertThat(api.service.asked).isEmpty();
  }

  @Test
  void try_out_submits_nothing() {
    assertThat(api.client.ask(new ApiRequest.TryOut(List.of(order("/a")))))
        .isEqualTo(Answer.ok(List.of(SampleService.PREVIEW)));
    assertThat(api.service.asked(ApiRequest.TryOut.class))
        .singleElement()
        .usingRecursiveComparison()
        .isEqualTo(new ApiRequest.TryOut(List.of(order("/a"))));
    assertThat(api.service.asked).hasSize(1);
  }

  @Test
  void a_step_is_asked_for_with_all_that_it_wants() {
    var request =
        new StepRequest(
            2,
            3,
            true,
            false,
            new StepRequest.Memory.PerCpu(1 << 20),
            new StepRequest.Gpus.Count(1, Optional.of("a100")));
    var order =
        new StepOrder(42, 4711, 99, "näme", request, Optional.of(Duration.ofHours(1)), true);

    assertThat(api.client.ask(new ApiRequest.Step(order, Duration.ofSeconds(2))))
        .isEqualTo(Answer.ok(SampleService.STEP));
    var join = new JoinOrder("42_3", 4711, 99, true);
    assertThat(api.client.ask(new ApiRequest.Join(join, Duration.ofSeconds(3))))
        .isEqualTo(Answer.ok(SampleService.JOINED));
    assertThat(api.client.ask(new ApiRequest.Steps(TASK)))
        .isEqualTo(Answer.ok(List.of(SampleService.STEP_VIEW)));
    assertThat(api.client.ask(new ApiRequest.Plot(TASK))).isEqualTo(Answer.ok(SampleService.CURVE));
    var ref = new StepRef(TASK, 3);
    assertThat(api.client.ask(new ApiRequest.EndStep(ref, OptionalInt.of(10))))
        .isInstanceOf(Answer.Ok.class);
    assertThat(api.client.ask(new ApiRequest.EndStep(ref, OptionalInt.empty())))
        .isInstanceOf(Answer.Ok.class);

    assertThat(api.service.asked)
        .containsExactly(
            new ApiRequest.Step(order, Duration.ofSeconds(2)),
            new ApiRequest.Join(join, Duration.ofSeconds(3)),
            new ApiRequest.Steps(TASK),
            new ApiRequest.Plot(TASK),
            new ApiRequest.EndStep(ref, OptionalInt.of(10)),
            new ApiRequest.EndStep(ref, OptionalInt.empty()));
  }

  @Test
  void gpus_are_asked_for_and_given_back() {
    var order = new GpusOrder(List.of(0, 3), 1, List.of("3", "GPU-4"));

    assertThat(api.client.ask(new ApiRequest.JobGpus(TASK, order, Duration.ofSeconds(2))))
        .isEqualTo(Answer.ok(SampleService.GPUS));
    assertThat(api.client.ask(new ApiRequest.Progress(TASK, "3/4 \"done\" — ok")))
        .isEqualTo(Answer.ok(SampleService.DONE));

    assertThat(api.service.asked)
        .containsExactly(
            new ApiRequest.JobGpus(TASK, order, Duration.ofSeconds(2)),
            new ApiRequest.Progress(TASK, "3/4 \"done\" — ok"));
  }

  @Test
  void jobs_by_every_filter() {
    var query =
        new JobQuery(
            List.of(JOB, TASK, LAST),
            EnumSet.of(JobState.PENDING, JobState.FAILED),
            List.of("ann, b"),
            List.of("x"),
            Optional.of("p"),
            Optional.of(Instant.EPOCH),
            3);

    assertThat(api.client.ask(new ApiRequest.Jobs(query)))
        .isEqualTo(Answer.ok(new Gflow.JobList(List.of(SampleService.VIEW), 7)));

    assertThat(api.service.asked).containsExactly(new ApiRequest.Jobs(query));
  }

  @Test
  void show_and_log_and_await() {
    assertThat(api.client.ask(new ApiRequest.Show(LAST)))
        .isEqualTo(Answer.ok(List.of(SampleService.VIEW)));
    assertThat(api.client.ask(new ApiRequest.Log(TASK)))
        .isEqualTo(
            Answer.ok(
                new Gflow.LogPlace(
                    "/l/42.log", Optional.of("/l/42.err"), true, Optional.of("0-3"))));
    assertThat(api.client.ask(new ApiRequest.Wait(JOB)))
        .isEqualTo(Answer.ok(List.of(SampleService.VIEW)));
    assertThat(api.service.asked)
        .containsExactly(
            // Whether there is such a job is asked before the answer begins.
            new ApiRequest.Show(LAST),
            new ApiRequest.Log(TASK),
            new ApiRequest.Show(JOB),
            new ApiRequest.Wait(JOB));
  }

  @Test
  void the_verbs() {
    var done = Answer.ok(List.of(SampleService.DONE));
    var options = new TreeMap<>(Map.of("time", "+2h", "hold", "", "requeue", "false"));
    var selection =
        new Selection(
            List.of(TASK),
            EnumSet.of(JobState.PENDING, JobState.RUNNING),
            Optional.of(true),
            List.of("u"),
            List.of("n"),
            true);

    assertThat(api.client.ask(new ApiRequest.Cancel(selection))).isEqualTo(done);
    assertThat(api.client.ask(new ApiRequest.Hold(List.of(JOB, TASK)))).isEqualTo(done);
    assertThat(api.client.ask(new ApiRequest.Release(List.of(JOB), Optional.of(TIME))))
        .isEqualTo(done);
    assertThat(api.client.ask(new ApiRequest.Update(List.of(JOB), options, Optional.of("k"))))
        .isEqualTo(done);
    assertThat(api.client.ask(new ApiRequest.Signal(List.of(TASK), 10, Recipients.SCRIPT)))
        .isEqualTo(done);
    assertThat(api.client.ask(new ApiRequest.Requeue(List.of(JOB), true))).isEqualTo(done);
    assertThat(api.client.ask(new ApiRequest.Redo(JOB, true, Optional.of("k2"))))
        .isEqualTo(Answer.ok(List.of(SampleService.RECEIPT)));

    assertThat(api.service.asked)
        .containsExactly(
            new ApiRequest.Cancel(selection),
            new ApiRequest.Hold(List.of(JOB, TASK)),
            new ApiRequest.Release(List.of(JOB), Optional.of(TIME)),
            new ApiRequest.Update(List.of(JOB), options, Optional.of("k")),
            new ApiRequest.Signal(List.of(TASK), 10, Recipients.SCRIPT),
            new ApiRequest.Requeue(List.of(JOB), true),
            new ApiRequest.Redo(JOB, true, Optional.of("k2")));
  }

  @Test
  void the_machine_the_daemon_and_the_statistics() {
    assertThat(api.client.ask(new ApiRequest.Machine()))
        .isEqualTo(Answer.ok(SampleService.MACHINE));
    assertThat(api.client.ask(new ApiRequest.Status())).isEqualTo(Answer.ok(SampleService.STATUS));
    assertThat(
            api.client.ask(
                new ApiRequest.Stats(Optional.of("a&b ü"), Optional.empty(), Optional.of(TIME))))
        .isEqualTo(Answer.ok(SampleService.STATS));
    assertThat(api.client.ask(new ApiRequest.Down(true))).isEqualTo(Answer.ok(SampleService.DONE));
    assertThat(api.service.asked)
        .containsExactly(
            new ApiRequest.Machine(),
            new ApiRequest.Status(),
            new ApiRequest.Stats(Optional.of("a&b ü"), Optional.empty(), Optional.of(TIME)),
            new ApiRequest.Down(true));
  }

  @Test
  void every_control() {
    var controls =
        List.of(
            new Control.SetGpus(Optional.of(List.of(0, 2))),
            new Control.SetGpus(Optional.empty()),
            new Control.Drain(List.of(1), "fan"),
            new Control.Undrain(List.of(1)),
            new Control.Pause("reboot at six"),
            new Control.Resume(),
            new Control.SetLimit("user:ann", 0),
            new Control.Ignore(true, "bob", false),
            new Control.Prune(TIME));

    for (Control control : controls) {
      assertThat(api.client.ask(new ApiRequest.Control(control)))
          .isEqualTo(Answer.ok(SampleService.DONE));
    }

    assertThat(api.service.asked)
        .containsExactlyElementsOf(controls.stream().map(ApiRequest.Control::new).toList());
  }

  @Test
  void events_come_until_the_reader_has_enough() throws Exception {
    try (var channel = api.connect()) {
      String request = "GET /v1/events HTTP/1.1\r\nHost: g\r\n\r\n";
      channel.write(java.nio.ByteBuffer.wrap(request.getBytes(UTF_8)));
      api.answers.waiting.acquire();
    }

    // The server notices by its next keep-alive that nobody reads, and lets the service go.
    assertThat(api.answers.interrupted.await(10, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void changes_come_in_one_answer_or_as_events_until_none_are_kept() throws Exception {
    var after = new ApiRequest.Changes("e", OptionalLong.of(1), Duration.ofSeconds(1));
    assertThat(api.client.ask(after))
        .isEqualTo(Answer.ok(new ChangesView("e", 2, List.of(SampleService.DELTA))));
    assertThat(api.client.ask(new ApiRequest.Changes("e", OptionalLong.of(7), Duration.ZERO)))
        .isEqualTo(new Answer.No<>(Answer.Kind.GONE, "not kept"));
    assertThat(api.client.ask(ApiRequest.Changes.NOW))
        .isEqualTo(Answer.ok(new ChangesView("", 0, List.of())));

    String events = api.ask("GET", "/v1/events?epoch=e&after=1", "");
    String data = gflow.json.RecordJson.write(SampleService.DELTA);
    assertThat(events).isEqualTo("200 : the events of gflow\n\nevent: job\nid: 2\ndata: " + data);
  }

  @Test
  void a_refusal_keeps_its_kind_and_line() {
    assertThat(api.client.ask(new ApiRequest.Show(NONE)))
        .isEqualTo(Answer.refused("no job 13 (gqueue lists them)"));
    assertThat(api.client.ask(new ApiRequest.Wait(NONE)))
        .isEqualTo(Answer.refused("no job 13 (gqueue lists them)"));
    var options = new TreeMap<>(Map.of("misspelt", List.of("2")));
    var body = new Body.Wrap("x");
    var order = new Order(options, body, Api.ORIGIN, new TreeMap<>());
    assertThat(api.client.ask(new ApiRequest.Submit(List.of(order), Optional.empty())))
        .isEqualTo(new Answer.No<>(Answer.Kind.USAGE, "there is no option --misspelt"));
  }

  @Test
  void without_a_daemon_the_answer_says_how_to_start_one() throws IOException {
    var no = new Answer.No<>(Answer.Kind.NO_DAEMON, "no gflowd is running (gflowd up starts one)");
    assertThat(new HttpGflow(api.folder.resolve("none")).ask(new ApiRequest.Status()))
        .isEqualTo(no);

    // A socket file that nobody listens behind, as kill -9 leaves it.
    var stale = api.folder.resolve("stale");
    try (var bound =
        java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
      bound.bind(java.net.UnixDomainSocketAddress.of(stale));
    }
    assertThat(new HttpGflow(stale).ask(new ApiRequest.Status())).isEqualTo(no);
  }

  @Test
  void a_daemon_that_fails_or_hangs_up_is_an_answer_too() throws Exception {
    api.answers.broken = true;
    assertThat(api.client.ask(new ApiRequest.Status()).toString())
        .contains("INTERNAL", "internal error ");
    assertThat(api.problems).singleElement().asString().contains("in GET /v1/status");

    var path = api.folder.resolve("rude");
    try (var rude =
        java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
      rude.bind(java.net.UnixDomainSocketAddress.of(path));
      var accept = Thread.ofVirtual().start(() -> hangUp(rude));
      assertThat(new HttpGflow(path).ask(new ApiRequest.Status()))
          .isEqualTo(new Answer.No<>(Answer.Kind.NO_DAEMON, "gflowd went away before it answered"));
      accept.join();
    }
  }

  private static void hangUp(java.nio.channels.ServerSocketChannel server) {
    try {
      server.accept().close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void a_wait_ends_when_the_job_does_and_lives_on_keep_alives_meanwhile() throws Exception {
    api.answers.ended = new java.util.concurrent.CountDownLatch(1);
    try (var channel = api.connect()) {
      String request = "GET /v1/jobs/42/wait HTTP/1.1\r\nHost: g\r\n\r\n";
      channel.write(java.nio.ByteBuffer.wrap(request.getBytes(UTF_8)));
      var in = java.nio.channels.Channels.newInputStream(channel);
      String head = new String(in.readNBytes(200), UTF_8);
      assertThat(head).startsWith("HTTP/1.1 200").contains("1\r\n\n\r\n");
      api.answers.ended.countDown();
      channel.shutdownOutput();
      assertThat(new String(in.readAllBytes(), UTF_8)).contains("\"job_id\":42");
    }
  }

  static void events(Api api) {
    try {
      api.ask("GET", "/v1/events", "");
    } catch (IOException e) {
      // It was closed.
    }
  }

  @Test
  void closing_ends_the_waits_and_the_streams_and_removes_the_socket() throws Exception {
    api.answers.ended = new java.util.concurrent.CountDownLatch(1);
    var answer = new java.util.concurrent.LinkedBlockingQueue<Answer<List<JobView>>>();
    var waiting =
        Thread.ofVirtual().start(() -> answer.add(api.client.ask(new ApiRequest.Wait(JOB))));
    var watching = Thread.ofVirtual().start(() -> events(api));
    api.answers.waiting.acquire(2);

    api.server.close();

    assertThat(waiting.join(java.time.Duration.ofSeconds(10))).isTrue();
    assertThat(watching.join(java.time.Duration.ofSeconds(10))).isTrue();
    assertThat(answer.take()).isInstanceOf(Answer.No.class);
    assertThat(api.socket).doesNotExist();
  }

  @Test
  void states_and_selection_default_to_nothing() {
    var all = new JobQuery(List.of(), Set.of(), List.of(), List.of(), Optional.empty(), 100);
    api.client.ask(new ApiRequest.Jobs(all));
    assertThat(api.service.asked).containsExactly(new ApiRequest.Jobs(all));
  }
}
