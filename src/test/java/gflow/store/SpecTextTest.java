package gflow.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.Allocation.GpuGrant;
import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.Dependencies.Kind;
import gflow.job.EarlySignal;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Attachment;
import gflow.job.JobSpec.Output;
import gflow.job.JobSpec.Scene;
import gflow.job.JobSpec.Tasks;
import gflow.job.JobSpec.Terms;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.RequestedOptions;
import gflow.job.RetryOn;
import gflow.job.Sweep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SpecTextTest {
  private static final String NASTY =
      "a \"b\" \\ {x:[1]} \n\t\r\b\f\u0000\u001f\u007f é 漢 \uD83D\uDE00 </script> \u2028";

  private final SpecTexts texts = new SpecTexts();

  static List<Program> programs() {
    return List.of(
        new Program.Argv(List.of("true")),
        new Program.Argv(List.of(NASTY, "", "}", "]")),
        new Program.Script(Samples.blob('5'), List.of()),
        new Program.Script(Samples.blob('5'), List.of("a", NASTY)),
        new Program.ShellLine(NASTY));
  }

  static List<GpuRequest> gpus() {
    return List.of(
        new GpuRequest.None(),
        new GpuRequest.Whole(3),
        GpuRequest.part(GpuPart.of(250, 1000)),
        GpuRequest.memory(1L << 40));
  }

  private static JobSpec with(Program program, Request request, Terms terms, Scene scene) {
    return Samples.spec(Samples.ANNA, "x")
        .running(NASTY, program)
        .withRequest(request)
        .withTerms(terms)
        .withScene(scene);
  }

  private JobSpec again(JobSpec spec) {
    return texts.spec(spec.owner(), spec.name(), texts.text(spec));
  }

  @Test
  void of_many_specs_each_text_is_its_own() {
    JobSpec one = Samples.spec(Samples.ANNA, "x");
    for (Program program : programs()) {
      JobSpec other = with(program, one.request(), one.terms(), one.scene());
      assertThat(texts.text(one)).isEqualTo(new SpecTexts().text(one));
      assertThat(texts.text(other)).isEqualTo(new SpecTexts().text(other));
    }
    JobSpec labelled = Samples.ofProject(one, "p");
    assertThat(texts.text(labelled))
        .isEqualTo(new SpecTexts().text(labelled))
        .contains("\"project\":\"p\"");
  }

  @ParameterizedTest
  @MethodSource("programs")
  void every_program_comes_back(Program program) {
    var plain = Samples.spec(Samples.ANNA, "x");
    JobSpec spec = with(program, plain.request(), plain.terms(), plain.scene());

    assertThat(again(spec)).isEqualTo(spec);
  }

  @Test
  void how_many_gpus_it_can_use_comes_back() {
    var elastic = new Request(1, 0, 0, new GpuRequest.Whole(2), GpuFilter.ANY, 8);
    JobSpec spec = Samples.spec(Samples.ANNA, "x").withRequest(elastic);
    assertThat(again(spec)).isEqualTo(spec);
  }

  @ParameterizedTest
  @MethodSource("gpus")
  void every_request_comes_back(GpuRequest gpus) {
    var filter = new GpuFilter(Optional.of(NASTY), List.of(0, 7), List.of(3));
    for (GpuFilter f : List.of(GpuFilter.ANY, filter)) {
      JobSpec spec =
          Samples.spec(Samples.ANNA, "x").withRequest(new Request(4, 8, 1L << 41, gpus, f));

      assertThat(again(spec)).isEqualTo(spec);
    }
  }

  @Test
  void all_terms_come_back() {
    var dependencies =
        new Dependencies(
            true,
            List.of(
                new Dependency(
                    Kind.AFTER, Optional.of(new JobRef.ById(new JobId(41))), Duration.ofMinutes(5)),
                new Dependency(
                    Kind.AFTERNOTOK,
                    Optional.of(new JobRef.ArrayTask(new JobId(42), 7)),
                    Duration.ZERO),
                new Dependency(Kind.AFTEROK, Optional.of(new JobRef.Last()), Duration.ZERO),
                new Dependency(Kind.AFTERANY, Optional.of(new JobRef.LastTask(7)), Duration.ZERO),
                new Dependency(Kind.SINGLETON, Optional.empty(), Duration.ZERO)),
            false);
    var full =
        new Terms(
            255,
            Optional.of(Duration.ofSeconds(90, 5)),
            Optional.of(Instant.parse("9999-12-31T23:59:59.123456789Z")),
            true,
            dependencies,
            3,
            List.of(RetryOn.values()));
    var none = Optional.<Instant>empty();
    var only = List.of(RetryOn.TIMEOUT);
    var bare = new Terms(0, Optional.empty(), none, false, Dependencies.NONE, 0, only);
    for (Terms terms : List.of(full, bare)) {
      JobSpec spec = Samples.spec(Samples.ANNA, "x").withTerms(terms);

      assertThat(again(spec)).isEqualTo(spec);
    }
  }

  @Test
  void tasks_and_labels_come_back() {
    var sweep =
        new Sweep(
            List.of(
                new Sweep.Factor(List.of("lr"), List.of(List.of("0.1"), List.of(NASTY))),
                new Sweep.Factor(List.of("a", "b"), List.of(List.of("1", "")))));
    var labels = new TreeMap<String, String>();
    labels.put(JobSpec.PROJECT, "p");
    labels.put(NASTY, NASTY);
    JobSpec spec =
        Samples.spec(Samples.ANNA, "x")
            .withTasks(new Tasks(Optional.of(Ranges.ofAll(List.of(1, 2, 3, 9))), sweep, 2))
            .withLabels(labels);

    assertThat(again(spec)).isEqualTo(spec);
  }

  @Test
  void a_full_scene_comes_back() {
    var plain = Samples.spec(Samples.ANNA, "x");
    var scene =
        new Scene(
            NASTY,
            Samples.ENVIRONMENT,
            63,
            List.of("-S -n 1024", "-H -v unlimited"),
            Optional.of("/opt/conda/envs/{a}"),
            new Output(Optional.of("%j.out"), Optional.of(NASTY), Optional.of("in"), false),
            Optional.of(new Attachment("config \"1\".toml", Samples.blob('c'))));
    JobSpec spec = with(plain.program(), plain.request(), plain.terms(), scene);

    assertThat(again(spec)).isEqualTo(spec);
  }

  @Test
  void equal_parts_become_one_object() {
    var first = again(Samples.spec(Samples.ANNA, "a"));
    var second = again(Samples.spec(Samples.ANNA, "b"));

    assertThat(second.scene()).isSameAs(first.scene());
    assertThat(second.terms()).isSameAs(first.terms());
    assertThat(second.request()).isSameAs(first.request());
    assertThat(second.tasks()).isSameAs(first.tasks());
  }

  /** Of the sample, with what is plain about it too. */
  private static final String WHOLE =
      """
      {"version":2,\
      "request":{"ntasks":1,"cpus_per_task":0,"memory":0,\
      "gpus":{"type":"whole","count":1},"filter":{},"most_gpus":1},\
      "terms":{"priority":10,"time_limit":"PT2H","hold":false,\
      "dependencies":{"any":false,"cancel_if_never":true},"retries":0,"requeue":false},\
      "tasks":{"sweep":{},"limit":0,"base":0},\
      "scene":{"folder":"/home/anna/work","environment":{"sha256":"E"},"umask":18,\
      "ulimits":["-S -n 1024"],"output":{"append":true}},\
      "asked":{"options":{}},"labels":{},\
      "program":{"type":"argv","words":["python","train.py","--seed","1"]}}\
      """
          .replace("\"E\"", '"' + Samples.ENVIRONMENT.sha256() + '"');

  @Test
  void the_text_says_only_what_is_special() {
    JobSpec spec = Samples.spec(Samples.ANNA, "x");

    assertThat(texts.text(spec).replace(Samples.ENVIRONMENT.sha256(), "E"))
        .isEqualTo(
            """
            {"version":2,\
            "request":{"gpus":{"type":"whole","count":1},"most_gpus":1},\
            "terms":{"time_limit":"PT2H"},\
            "scene":{"folder":"/home/anna/work","environment":{"sha256":"E"},\
            "ulimits":["-S -n 1024"]},\
            "program":{"type":"argv","words":["python","train.py","--seed","1"]}}\
            """);
  }

  @Test
  void what_says_all_is_read_as_well() {
    JobSpec spec = Samples.spec(Samples.ANNA, "x");
    assertThat(texts.spec(spec.owner(), spec.name(), WHOLE)).isEqualTo(spec);
  }

  private static final String FIRST =
      """
      {"program":{"script":"SCRIPT","arguments":["a",""]},\
      "request":{"ntasks":2,"cpus_per_task":3,"memory":4,"gpus":1,"most_gpus":8,\
      "gpu_type":"a100","only_gpus":[0,1],"exclude_gpus":[2]},\
      "terms":{"priority":7,"time_limit":"PT2H","begin":"2026-01-01T00:00:00Z","hold":true,\
      "dependencies":{"any":true,"list":[{"kind":"AFTER","parent":"41","delay":"PT5M"},\
      {"kind":"AFTEROK","parent":"42_7"},{"kind":"AFTERANY","parent":"@"},\
      {"kind":"AFTERANY","parent":"@_3"},{"kind":"SINGLETON"}]},"retries":3,"requeue":true},\
      "tasks":{"array":"0-3,9","sweep":[{"names":["a","b"],"values":["1","2","3",""]}],\
      "limit":2,"base":1},\
      "scene":{"folder":"/w","environment":"ENV","umask":18,"ulimits":["-S -n 1024"],\
      "conda":"/c","out":"o","err":"e","in":"i","append":true,\
      "config_name":"c.toml","config":"CONFIG"},\
      "labels":{"account":"x","mem":"61440","exclusive":"","signal":"B:10@60","grace":"120",\
      "speaks":"slurm","open-mode":"append"}}\
      """
          .replace("SCRIPT", Samples.blob('5').sha256())
          .replace("ENV", Samples.ENVIRONMENT.sha256())
          .replace("CONFIG", Samples.blob('c').sha256());

  @Test
  void what_was_written_before_there_were_numbers_is_read() {
    var zero = Duration.ZERO;
    var options = new TreeMap<>(Map.of("mem", "61440", "exclusive", "", "slurm", ""));
    options.put("open-mode", "append");
    var expected =
        new JobSpec(
            Samples.ANNA,
            "x",
            new Program.Script(Samples.blob('5'), List.of("a", "")),
            new Request(
                2,
                3,
                4,
                new GpuRequest.Whole(1),
                new GpuFilter(Optional.of("a100"), List.of(0, 1), List.of(2)),
                8),
            new Terms(
                7,
                Optional.of(Duration.ofHours(2)),
                Optional.of(Instant.parse("2026-01-01T00:00:00Z")),
                true,
                new Dependencies(
                    true,
                    List.of(
                        new Dependency(
                            Kind.AFTER,
                            Optional.of(new JobRef.ById(new JobId(41))),
                            Duration.ofMinutes(5)),
                        new Dependency(
                            Kind.AFTEROK,
                            Optional.of(new JobRef.ArrayTask(new JobId(42), 7)),
                            zero),
                        new Dependency(Kind.AFTERANY, Optional.of(new JobRef.Last()), zero),
                        new Dependency(Kind.AFTERANY, Optional.of(new JobRef.LastTask(3)), zero),
                        new Dependency(Kind.SINGLETON, Optional.empty(), zero)),
                    false),
                3,
                RetryOn.requeued(Terms.USUAL)),
            new Tasks(
                Optional.of(Ranges.ofAll(List.of(0, 1, 2, 3, 9))),
                new Sweep(
                    List.of(
                        new Sweep.Factor(
                            List.of("a", "b"), List.of(List.of("1", "2"), List.of("3", ""))))),
                2,
                1),
            new Scene(
                "/w",
                Samples.ENVIRONMENT,
                18,
                List.of("-S -n 1024"),
                Optional.of("/c"),
                new Output(Optional.of("o"), Optional.of("e"), Optional.of("i"), true),
                Optional.of(new Attachment("c.toml", Samples.blob('c')))),
            new RequestedOptions(
                options,
                Optional.of(new EarlySignal(10, Duration.ofMinutes(1), true)),
                Optional.of(Duration.ofMinutes(2))),
            new TreeMap<>(Map.of("account", "x")));

    assertThat(texts.spec(Samples.ANNA, "x", FIRST)).isEqualTo(expected);
    assertThat(again(expected)).isEqualTo(expected);
  }

  /** Each of these forms stood alone in a row. */
  @Test
  void the_shortest_of_what_was_written_before_is_read() {
    String rest =
        "\"terms\":{},\"scene\":{\"folder\":\"/w\",\"environment\":\"%s\"}}"
            .formatted(Samples.ENVIRONMENT.sha256());
    String share = "{\"program\":{\"argv\":[\"a\"]},\"request\":{\"ntasks\":1,";
    JobSpec part = texts.spec(Samples.ANNA, "x", share + "\"gpu_thousandths\":250}," + rest);
    JobSpec memory = texts.spec(Samples.ANNA, "x", share + "\"gpu_memory\":5}," + rest);
    JobSpec line =
        texts.spec(
            Samples.ANNA,
            "x",
            "{\"program\":{\"shell\":\"date\"},\"request\":{\"ntasks\":1}," + rest);

    assertThat(part.request().gpus()).isEqualTo(GpuRequest.part(GpuPart.of(250, 1000)));
    assertThat(part.program()).isEqualTo(new Program.Argv(List.of("a")));
    assertThat(memory.request().gpus()).isEqualTo(GpuRequest.memory(5));
    assertThat(line.program()).isEqualTo(new Program.ShellLine("date"));
    assertThat(line.request().gpus()).isEqualTo(new GpuRequest.None());
    assertThat(line.tasks()).isEqualTo(Tasks.ONE);
    assertThat(line.terms().dependencies()).isEqualTo(Dependencies.NONE);
    assertThatThrownBy(() -> texts.spec(Samples.ANNA, "x", FIRST.replace("42_7", "42_x")))
        .isInstanceOf(DamagedRow.class);
  }

  @Test
  void parts_and_memory_as_they_were_written_are_read() {
    String spec = texts.text(Samples.spec(Samples.ANNA, "x"));
    String before = "\"gpus\":{\"type\":\"whole\",\"count\":1}";
    assertThat(spec).contains(before);
    String part = spec.replace(before, "\"gpus\":{\"type\":\"share\",\"thousandths\":250}");
    String memory = spec.replace(before, "\"gpus\":{\"type\":\"memory\",\"bytes\":5}");

    assertThat(texts.spec(Samples.ANNA, "x", part).request().gpus())
        .isEqualTo(GpuRequest.part(GpuPart.of(1, 4)));
    assertThat(texts.spec(Samples.ANNA, "x", memory).request().gpus())
        .isEqualTo(GpuRequest.memory(5));
  }

  @Test
  void gpus_come_back() {
    var grants =
        List.of(
            new GpuGrant(new GpuId("GPU-1"), 0, GpuPart.WHOLE, 0),
            new GpuGrant(new GpuId("GPU-2"), 3, GpuPart.of(250, 1000), 1L << 33));

    var reader = new GrantTexts();
    assertThat(reader.grants(GrantTexts.text(grants))).isEqualTo(grants);
    assertThat(reader.grants(GrantTexts.text(List.of()))).isEmpty();
    assertThat(
            reader.grants(
                """
                [{"uuid":"GPU-1","thousandths":1000},\
                {"uuid":"GPU-2","index":3,"thousandths":250,"memory":8589934592}]\
                """))
        .isEqualTo(grants);
  }

  @Test
  void what_we_did_not_write_is_damage() {
    JobSpec spec = Samples.spec(Samples.ANNA, "x");
    String text = WHOLE;
    for (String[] change :
        new String[][] {
          {"\"priority\":10", "\"priority\":10,\"colour\":1"},
          {"\"priority\":10", "\"priority\":\"ten\""},
          {"PT2H", "two hours"},
          {"\"folder\"", "\"foldr\""},
          {"\"program\"", "\"extra\":1,\"program\""},
          {"\"program\"", "\"programme\""},
          {"\"version\":2", "\"version\":3"},
          {"\"umask\":18", "\"umask\":9999999999"},
          {"}}", "}"},
        }) {
      String damaged = text.replace(change[0], change[1]);
      assertThat(damaged).isNotEqualTo(text);
      assertThatThrownBy(() -> texts.spec(spec.owner(), "x", damaged))
          .as(damaged)
          .isInstanceOf(DamagedRow.class);
    }
  }
}
