package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Elastic jobs on eight GPUs; a script plays the program that uses them. */
class LoansIT {
  /** Gives back what is called, an item's time later; who finds no daemon asks again. */
  private static final String RUNNER =
      """
      #!/bin/bash
      url=http://gflow/v1/jobs/$GFLOW_JOB_ID
      post() { curl -sf -m 30 --unix-socket "$GFLOW_HOME/run/gflow.sock" "$url/$1" -d "$2"; }
      have= called=0 back=
      while :; do
        knows="\\"have\\":[$have],\\"call_back\\":$called,\\"back\\":[$back]"
        said=$(post cards "{$knows,\\"patience\\":9000}") || { sleep 0.1; continue; }
        have=$(grep -o '"index":[0-9]*' <<< "$said" | cut -d: -f2 | paste -sd,)
        called=$(grep -o '"call_back":[0-9]*' <<< "$said" | cut -d: -f2)
        back=
        post progress "{\\"text\\":\\"on $have\\"}" > /dev/null
        if [ "$called" -gt 0 ]; then
          sleep 0.2
          back=$(grep -o '{[^{}]*"wanted":true}' <<< "$said" | grep -o '"index":[0-9]*' |
            cut -d: -f2 | head -n "$called" | paste -sd,)
          echo "gives back $back"
        fi
      done
      """;

  private static Lab lab() {
    var lab = new Lab("GFLOW_GPUS=sim:8x24G");
    lab.up();
    lab.write(lab.work().resolve("runner.sh"), RUNNER);
    return lab;
  }

  @SuppressWarnings("unchecked")
  private static List<Long> gpus(Lab lab, long job, String which) {
    return (List<Long>) lab.job(job).get(which);
  }

  private static void awaitGpus(Lab lab, long job, int count) {
    lab.await(
        "job " + job + " on " + count + " GPUs", () -> gpus(lab, job, "gpu_ids").size() == count);
  }

  private static void noGpuTwice(Lab lab) {
    var all = new ArrayList<Long>();
    for (Map<String, Object> job : lab.jobs()) {
      if ("RUNNING".equals(job.get("state"))) {
        all.addAll(gpus(lab, ((Number) job.get("job_id")).longValue(), "gpu_ids"));
      }
    }
    assertThat(all).doesNotHaveDuplicates();
  }

  @Test
  void it_grows_gives_way_within_an_item_and_grows_again_also_if_the_daemon_dies() {
    try (var lab = lab()) {
      long elastic = lab.submit("--gpus", "1-8", "runner.sh");
      awaitGpus(lab, elastic, 8);
      assertThat(gpus(lab, elastic, "lent_gpu_ids")).hasSize(7);
      assertThat(lab.job(elastic).get("most_gpus")).isEqualTo(8L);
      lab.await(
          "its progress",
          () -> String.valueOf(lab.job(elastic).get("progress")).equals("on 0,1,2,3,4,5,6,7"));
      assertThat(lab.ok("gjob", "show", Long.toString(elastic)).out())
          .contains("Gpus=1 MostGpus=8 GpuIds=0,1,2,3,4,5,6,7 OnLoan=1,2,3,4,5,6,7")
          .contains("Progress=on 0,1,2,3,4,5,6,7");
      assertThat(lab.ok("gqueue", "-h", "-f", "JOBID,PROGRESS").out()).contains("on 0,1,2");
      assertThat(lab.ok("ginfo").out()).doesNotContain("free");

      long two = lab.submit("--gpus", "2", "--wrap", "until [ -e go ]; do sleep 0.05; done");
      lab.awaitState(two, "RUNNING");
      noGpuTwice(lab);
      awaitGpus(lab, elastic, 6);
      assertThat(gpus(lab, elastic, "gpu_ids")).contains(0L);

      lab.killOnlyDaemon();
      lab.await("the next daemon", () -> lab.run("gflowd", "status").code() == 0);
      assertThat(gpus(lab, elastic, "gpu_ids")).hasSize(6);
      noGpuTwice(lab);
      lab.write(lab.work().resolve("go"), "");
      lab.awaitState(two, "COMPLETED");
      awaitGpus(lab, elastic, 8);

      lab.killOnlyDaemon();
      long one = lab.submit("--gpus", "1", "--wrap", "sleep 0.5");
      lab.awaitState(one, "COMPLETED");
      assertThat(lab.log(elastic).lines().toList()).hasSize(2).allMatch(l -> l.startsWith("gives"));

      lab.ok("gcancel", Long.toString(elastic));
      lab.awaitState(elastic, "CANCELLED");
      Map<String, Object> over = lab.job(elastic);
      double used = ((Number) over.get("gpu_seconds")).doubleValue();
      double time = ((Number) over.get("elapsed")).doubleValue();
      assertThat(used).isBetween(2 * time, 8 * time);
      assertThat(lab.ok("ginfo").out()).doesNotContain("allocated");
    }
  }

  @Test
  void two_share_evenly_and_an_outsider_to_the_job_gets_nothing() {
    try (var lab = lab()) {
      long first = lab.submit("--gpus", "1-8", "runner.sh");
      awaitGpus(lab, first, 8);
      long second = lab.submit("--gpus", "1-8", "runner.sh");
      awaitGpus(lab, second, 4);
      awaitGpus(lab, first, 4);
      noGpuTwice(lab);

      String url = "--unix-socket home/run/gflow.sock http://gflow/v1/jobs/";
      String at = "cd .. && curl -s " + url;
      assertThat(lab.bash(at + first + "/cards -d '{\"back\":[0]}'").out())
          .contains("GPU 0 is the job's own until its end; only GPUs on loan come back");
      assertThat(lab.bash(at + first + "/cards -d '{\"back\":[99]}'").out())
          .contains("there is no GPU 99");
      assertThat(lab.bash(at + first + "/progress -d '{\"text\":\"a\\nb\"}'").out())
          .contains("without control characters");
      lab.ok("gcancel", Long.toString(first));
      awaitGpus(lab, second, 8);
      long plain = lab.submit("--gpus", "2", "--wrap", "sleep 1");
      lab.awaitState(plain, "RUNNING");
      assertThat(lab.bash(at + plain + "/cards -d '{}'").out())
          .contains("job " + plain + " has the GPUs that it asked for");
    }
  }
}
