package gflow.map.plan;

import static gflow.script.grammar.Opt.flag;
import static gflow.script.grammar.Opt.pair;
import static gflow.script.grammar.Opt.value;

import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.order.BatchOptions;
import gflow.script.order.RetrySyntax;
import java.util.List;
import java.util.stream.Stream;

/** The options of {@code gmap}. What they mean together is {@link MapOrders}'s. */
public final class MapOptions {
  private static final List<Opt> ITEMS =
      List.of(
          value("items", "", "PATTERN", "files that match, as 'data/*.xyz'; more than one adds up")
              .repeated(),
          value("dir-path", "", "DIR", "the files of a folder").alias("dir_path"),
          value("pattern", "", "PATTERN", "which of them, as '*.xyz' (all)"),
          pair(
              "pairs", "'A*' 'B*'", "two files for each call, matched by what the star stands for"),
          value("items-from", "", "FILE", "each line of a file (-: stdin)").alias("items_from"),
          flag("null", "0", "items end in NUL, not in a line end"),
          value("jsonl", "", "FILE", "each line is JSON; the fields of an object are columns"),
          value("csv", "", "FILE", "each row is an item; the header names the columns"),
          value("range", "", "FIRST-LAST[:STEP]", "numbers, as 0-999, 000-999, 0-100:5 or 1,4,9")
              .repeated(),
          value("size-limit", "", "N", "only the first N items (0: all)").alias("size_limit"),
          flag("debug", "", "only the first 8 items"),
          value("per-call", "N", "K", "K items for each call").alias("per_call"),
          value(
                  "size-from",
                  "",
                  "file|COLUMN",
                  "the largest first: by file, file:COLUMN, or COLUMN")
              .alias("size_from"),
          flag("no-append", "", "a command without {} does not get the item as its last word"));

  private static final List<Opt> WAY =
      List.of(
          value("gpus", "Gg", "N|N-M", "GPUs: at least N, up to M or all; 8 keeps eight (1-all)"),
          value("per-gpu", "", "K", "items at once on each GPU (1)").alias("per_gpu"),
          value("batch-size", "j", "N", "at most N items at once").alias("batch_size", "jobs"),
          value("cpus-per-item", "c", "C", "CPUs for each item, where there are no GPUs (1)")
              .alias("cpus_per_item", "cpus-per-task"),
          flag("static", "", "item i goes to slot i mod n, though others are free"),
          value("timeout", "", "TIME", "end an item after so long, as 90s, 5m or 1:00:00"),
          value("retries", "", "K", "try an item that fails K times more (0)"),
          value("retry-on", "", "LIST", "after which ends: " + RetrySyntax.WORDS + " (fail)")
              .alias("retry_on"),
          value("max-failures", "", "N|P%", "give up when more than so many have failed")
              .alias("max_failures"),
          value("check", "", "LINE", "a shell line that says by its exit code if a result is good"),
          flag("tag", "", "put the item before each line of its output"),
          flag("keep-order", "k", "show output in the order of the items"));

  private static final List<Opt> WORKERS =
      List.of(
          flag("worker", "", "start the command once for each slot; items come as JSON lines"),
          value("recycle", "", "N", "a fresh worker after N items"),
          value("start-timeout", "", "TIME", "how long a worker may take to start (10m)"));

  private static final List<Opt> RESULTS =
      List.of(
          value("results", "", "DIR", "where results go (gmap-1, gmap-2, …)"),
          flag("resume", "", "go on with what is in --results DIR"),
          flag("retry-failed", "", "with --resume: try again what has failed"),
          flag("changed-items", "", "with --resume: the list of items may have changed"),
          value("out-template", "", "FILE", "a file for the value of each item: out/{stem}.json")
              .alias("out_template"));

  private static final List<Opt> CALL =
      List.of(
          flag("detach", "", "return at once; gmap attach ID watches it"),
          flag("dry-run", "", "print the first commands, and run nothing"),
          flag("json", "", "answer in JSON"),
          flag("quiet", "Q", "show no progress"),
          value("run-folder", "", "DIR", ""),
          Opt.HELP);

  /** Of the job that a map becomes; they mean what they mean to gbatch. */
  static final List<String> JOB =
      Opt.names(
          "gpu-type gpu-ids exclude-gpus mem time priority hold begin depends-on dependency name"
              + " export conda-env project comment account partition qos");

  public static final Grammar GRAMMAR =
      new Grammar(
              "gmap",
              "[options] COMMAND [ARGS…] [::: ITEMS…]",
              "Runs a program over many items, on all GPUs. In its words {} is the item, {stem}"
                  + " {name} {dir} are parts of its path, {index} {slot} {gpu} its numbers,"
                  + " {column} what a table has; without any of these the item comes last.",
              Stream.of(ITEMS, WAY, WORKERS, RESULTS, CALL, BatchOptions.some(JOB))
                  .flatMap(List::stream)
                  .toList(),
              true)
          .raw();

  private MapOptions() {}
}
