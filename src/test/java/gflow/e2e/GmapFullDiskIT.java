package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gflow.e2e.Lab.Said;
import gflow.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A disk that is full in the middle of a map: one line says so, nothing begins, and when there is
 * room again all goes on. The disk is a small one in a name space of its own, so nobody must be
 * root.
 */
class GmapFullDiskIT {
  private static final int ITEMS = 60;
  private static final int SLOTS = 4;
  private static final int PRINTED = 3000;

  private static final String ALONE = "export SLURM_JOB_ID=1 SLURM_CPUS_ON_NODE=" + SLOTS;

  private Lab lab;

  @BeforeEach
  void open() {
    lab = new Lab();
    assumeTrue(
        lab.bash("unshare -rm mount -t tmpfs none /mnt").code() == 0, "no name spaces for users");
    lab.write(
            lab.work().resolve("item"),
            """
            #!/bin/sh
            echo $1 >>ledger
            sleep 0.05
            head -c %d /dev/zero | tr '\\0' x || exit 1
            """
                .formatted(PRINTED))
        .toFile()
        .setExecutable(true);
  }

  @AfterEach
  void close() {
    lab.close();
  }

  /** Fills the disk when some items are done, and makes room when the map has stood for a while. */
  private Said run(String size, String before, String options, String full, String after) {
    String script =
        """
        mkdir small other
        mount -t tmpfs -o size=%s none small && mount -t tmpfs -o size=600k none other || exit 99
        %s
        gmap -Q --results small/r --range 1-60 %s ./item >out 2>err &
        gmap=$!
        until [ $(cat small/r/results.jsonl 2>/dev/null | wc -l) -ge 10 ] || ! kill -0 $gmap; do
          sleep 0.02
        done
        while [ ! -e enough ]; do cat /dev/zero >>%s/fill; sleep 0.01; done 2>/dev/null &
        filler=$!
        until grep -q 'cannot be written' err || ! kill -0 $gmap; do sleep 0.05; done
        sleep 0.5
        wc -l <ledger >before
        sleep 1.2
        wc -l <ledger >after
        touch enough
        wait $filler
        rm %s/fill
        wait $gmap
        code=$?
        mkdir kept && cp -r small/r other kept
        %s
        exit $code
        """
            .formatted(size, before, options, full, full, after);
    lab.write(lab.work().resolve("script"), script);
    return lab.run("unshare", "-rm", "bash", "script");
  }

  @SuppressWarnings("unchecked")
  private void checkAll(Said said, Path results) throws Exception {
    String err = Lab.read(lab.work().resolve("err"));
    assertThat(said.code()).as(said + err).isZero();
    var all = new TreeMap<Long, Object>();
    for (String text : Files.readAllLines(results.resolve("results.jsonl"))) {
      var line = (Map<String, Object>) Json.parse(text);
      assertThat(line).containsEntry("status", "ok").containsEntry("stdout", "x".repeat(PRINTED));
      assertThat(all.put((Long) line.get("index"), line)).isNull();
    }
    assertThat(all).hasSize(ITEMS);
    assertThat(Lab.read(lab.work().resolve("after")))
        .as("nothing begins on a full disk")
        .isEqualTo(Lab.read(lab.work().resolve("before")))
        .isNotEqualTo(ITEMS + "\n");
    assertThat(err.lines().filter(line -> line.contains("cannot be written"))).hasSize(1);
  }

  private void checkEachBeganOnce() throws Exception {
    assertThat(Files.readAllLines(lab.work().resolve("ledger")))
        .hasSize(ITEMS)
        .doesNotHaveDuplicates();
  }

  @Test
  void results_and_what_items_print_wait_for_room() throws Exception {
    checkAll(run("1m", ALONE, "", "small", ""), lab.work().resolve("kept/r"));

    checkEachBeganOnce();
    assertThat(Lab.read(lab.work().resolve("err")))
        .contains("No space left on device); nothing begins until they can")
        .contains("results can be written again");
  }

  @Test
  void what_runs_on_a_disk_that_is_full_all_of_a_sudden_is_done_again() throws Exception {
    checkAll(run("80m", ALONE, "", "small", ""), lab.work().resolve("kept/r"));

    assertThat(Files.readAllLines(lab.work().resolve("ledger")))
        .hasSizeBetween(ITEMS, ITEMS + SLOTS);
  }

  @Test
  void so_does_a_file_for_each_value() throws Exception {
    checkAll(
        run("1m", ALONE, "--out-template other/o/{}", "other", ""), lab.work().resolve("kept/r"));

    checkEachBeganOnce();
    for (int i = 1; i <= ITEMS; i++) {
      assertThat(lab.work().resolve("kept/other/o/" + i)).hasContent("x".repeat(PRINTED));
    }
    assertThat(lab.work().resolve("kept/other/o")).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void who_watches_from_outside_is_told() throws Exception {
    Said said = run("1m", "gflowd up", "--gpus 4", "small", "gflowd down");

    checkAll(said, lab.work().resolve("kept/r"));
  }
}
