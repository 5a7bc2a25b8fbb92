package gflow.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.Allocation.GpuGrant;
import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.Dependencies.Kind;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
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
import gflow.job.Sweep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SpecTextTest {
  private static final String NASTY =
      "a \"b\" \\ {x:[1]} \n\t\r\b\f\u0000\u001f\u007f é 漢 \uD83D\uDE00 </script> \u2028";

  private final SpecReader reader = new SpecReader();

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
        new GpuRequest.Share(250),
        new GpuRequest.Memory(1L << 40));
  }

  private static JobSpec with(Program program, Request request, Terms terms, Scene scene) {
    var plain = Samples.spec(Samples.ANNA, "x");
    return new JobSpec(
        plain.owner(), NASTY, program, request, terms, plain.tasks(), scene, plain.labels());
  }

  private JobSpec again(JobSpec spec) {
    return reader.spec(spec.owner(), spec.name(), SpecWriter.text(spec));
  }

  @Test
  void of_many_specs_each_text_is_its_own() {
    var texts = new SpecTexts();
    JobSpec one = Samples.spec(Samples.ANNA, "x");
    for (Program program : programs()) {
      JobSpec other = with(program, one.request(), one.terms(), one.scene());
      assertThat(texts.text(one)).isEqualTo(SpecWriter.text(one));
      assertThat(texts.text(other)).isEqualTo(SpecWriter.text(other));
    }
    JobSpec labelled = Samples.ofProject(one, "p");
    assertThat(texts.text(labelled)).isEqualTo(SpecWriter.text(labelled)).contains("labels");
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
    assertThat(reader.spec(spec.owner(), spec.name(), SpecWriter.text(spec))).isEqualTo(spec);
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
            true);
    var bare = new Terms(0, Optional.empty(), Optional.empty(), false, Dependencies.NONE, 0, false);
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

  @Test
  void the_text_is_compact() {
    JobSpec spec = Samples.spec(Samples.ANNA, "x");

    assertThat(SpecWriter.text(spec).replace(Samples.ENVIRONMENT.sha256(), "E"))
        .isEqualTo(
            """
            {"program":{"argv":["python","train.py","--seed","1"]},\
            "request":{"ntasks":1,"gpus":1},\
            "terms":{"priority":10,"time_limit":"PT2H"},\
            "scene":{"folder":"/home/anna/work","environment":"E","umask":18,\
            "ulimits":["-S -n 1024"],"append":true}}\
            """);
  }

  @Test
  void gpus_come_back() {
    var grants =
        List.of(
            new GpuGrant(new GpuId("GPU-1"), 0, 1000, 0),
            new GpuGrant(new GpuId("GPU-2"), 3, 250, 1L << 33));

    assertThat(reader.gpus(SpecWriter.text(grants))).isEqualTo(grants);
    assertThat(reader.gpus(SpecWriter.text(List.of()))).isEmpty();
  }

  @Test
  void what_we_did_not_write_is_damage() {
    JobSpec spec = Samples.spec(Samples.ANNA, "x");
    String text = SpecWriter.text(spec);
    assertThat(again(spec)).isEqualTo(spec);
    for (String[] change :
        new String[][] {
          {"\"priority\":10", "\"priority\":10,\"colour\":1"},
          {"\"priority\":10", "\"priority\":\"ten\""},
          {"PT2H", "two hours"},
          {"\"folder\"", "\"foldr\""},
          {"{\"program\"", "{\"extra\":1,\"program\""},
          {"\"umask\":18", "\"umask\":9999999999"},
          {"}}", "}"},
        }) {
      String damaged = text.replace(change[0], change[1]);
      assertThat(damaged).isNotEqualTo(text);
      assertThatThrownBy(() -> reader.spec(spec.owner(), "x", damaged))
          .as(damaged)
          .isInstanceOf(DamagedRow.class);
    }
  }
}
