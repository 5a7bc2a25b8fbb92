package gflow.cli.job;

import gflow.api.ApiRequest.Plot;
import gflow.api.ApiRequest.Show;
import gflow.api.GpuCurveView;
import gflow.api.GpuCurveView.GpuSamples;
import gflow.api.GpuCurveView.Sample;
import gflow.api.JobView;
import gflow.cli.chart.Axis;
import gflow.cli.chart.Axis.Scale;
import gflow.cli.chart.Chart;
import gflow.cli.chart.Curve;
import gflow.cli.chart.Curve.Point;
import gflow.cli.chart.Sheet;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.JobText;
import gflow.cli.frame.Refused;
import gflow.cli.frame.UserFiles;
import gflow.job.JobRef;
import gflow.json.RecordJson;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** {@code gjob plot}: what a job made of its GPUs over time, in the terminal or as a picture. */
public final class JobPlot {
  private static final String OUTPUT = "output";
  private static final String SVG = ".svg";
  private static final int USUAL_COLUMNS = 80;
  private static final double LEAST_MEMORY = 1 << 20;

  /** The usual looks are closer together than this. */
  private static final int GAP_SECONDS = 60;

  public static final Command COMMAND =
      Command.of(
          "gjob plot",
          "ID [-o FILE.svg] [--json]",
          "Draws what a job made of its GPUs over time: their use, and its memory on them.",
          List.of(
              Opt.value(OUTPUT, "o", "FILE.svg", "write a picture instead"),
              Command.JSON,
              Opt.HELP),
          JobPlot::run);

  private JobPlot() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    JobRef ref = job(given);
    String file = given.value(OUTPUT).orElse("");
    if (given.has(OUTPUT) && !file.endsWith(SVG)) {
      throw new BadInput("-o '" + file + "': pictures are SVG; write -o plot.svg");
    }
    GpuCurveView curve = call.ask(new Plot(ref));
    if (given.has("json")) {
      call.json(RecordJson.tree(curve));
      return 0;
    }
    Sheet sheet = sheet(call, call.ask(new Show(ref)).getFirst(), curve);
    if (!file.isEmpty()) {
      return write(call, file, sheet.svg());
    }
    int columns = call.invocation().terminal().columns();
    return call.say(sheet.text(columns > 0 ? columns : USUAL_COLUMNS, call.colour()));
  }

  /** That of a step is its job's. */
  private static JobRef job(Given given) throws BadInput {
    List<String> words = given.words();
    return words.size() == 1 && JobRefs.isStep(words.getFirst())
        ? JobRefs.step(words.getFirst()).job()
        : ArgumentWords.job(given);
  }

  private static int write(Call call, String file, String picture) throws Refused {
    try {
      Files.writeString(call.path(file), picture);
      return 0;
    } catch (IOException e) {
      throw new Refused("-o " + file + ": " + UserFiles.why(e));
    }
  }

  private static Sheet sheet(Call call, JobView job, GpuCurveView curve) {
    String attempt = curve.attempt() > 1 ? ", attempt " + curve.attempt() : "";
    String title =
        "Job %s (%s)%s, %s after %s, from %s"
            .formatted(
                JobText.id(job),
                job.name(),
                attempt,
                job.state(),
                JobText.elapsed(job.elapsed()),
                JobText.time(job.startTime(), call.zone()));
    double last =
        curve.gpus().stream()
            .mapToDouble(gpu -> gpu.samples().getLast().at() + curve.interval())
            .max()
            .orElse(1);
    var time = Axis.to("", Math.max(last, job.elapsed() == null ? 0 : job.elapsed()), Scale.TIME);
    double memory =
        curve.gpus().stream()
            .flatMap(gpu -> gpu.samples().stream())
            .mapToDouble(Sample::memory)
            .reduce(LEAST_MEMORY, Math::max);
    Axis bytes = Axis.over("", memory, Scale.BYTES);
    return new Sheet(
        title, curve.gpus().stream().map(gpu -> row(gpu, curve.interval(), time, bytes)).toList());
  }

  private static List<Chart> row(GpuSamples gpu, int interval, Axis time, Axis bytes) {
    Axis percent = Axis.over("", 100, Scale.PERCENT);
    String name = "GPU " + gpu.gpu();
    return List.of(
        chart(
            name + " use",
            gpu,
            interval,
            time,
            percent,
            s -> s.use() == null ? Double.NaN : s.use()),
        chart(name + " memory", gpu, interval, time, bytes, Sample::memory));
  }

  private static Chart chart(
      String title,
      GpuSamples gpu,
      int interval,
      Axis time,
      Axis height,
      ToDoubleFunction<Sample> figure) {
    var points = new ArrayList<Point>();
    long end = 0;
    for (Sample sample : gpu.samples()) {
      if (sample.at() > end) {
        points.add(Point.gap((double) end));
      }
      points.add(new Point((double) sample.at(), figure.applyAsDouble(sample)));
      end = sample.at() + Math.max(GAP_SECONDS, 3L * interval);
    }
    return new Chart(title, time, height, List.of(new Curve(title, points)));
  }
}
