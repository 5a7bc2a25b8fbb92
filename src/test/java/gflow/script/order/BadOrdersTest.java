package gflow.script.order;

import static gflow.script.order.OrdersTest.command;
import static gflow.script.order.OrdersTest.order;
import static gflow.script.order.OrdersTest.script;

import gflow.script.Refusal;
import gflow.script.value.BadInput;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BadOrdersTest {
  private static void refused(Order order, String line) {
    Refusal.of(() -> Orders.draft(order, Instant.EPOCH, ZoneOffset.UTC, Defaults.NONE), line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--gpus=-1|gpus '-1' is not understood; write 2, a100:2, or 1/4 for a part of one",
        "--gpus=a100:|gpus 'a100:' is not understood; write 2, a100:2, or 1/4 for a part of one",
        "--gpus=:2|gpus ':2' is not understood; write 2, a100:2, or 1/4 for a part of one",
        "--gpus=8-1|gpus '8-1' is no range; write 1-8 to start with 1 and use up to 8",
        "--gpus=0-8|gpus '0-8' is no range; write 1-8 to start with 1 and use up to 8",
        "--gpus=1-9999|gpus '1-9999' is more than 1024; no machine has that many",
        "--gpus-per-node=1-8|gpus-per-node '1-8' is not understood; write 2 or a100:2",
        "--gres=gpu:1-8|gres 'gpu:1-8' is not understood; write gpu:2 or gpu:a100:2",
        "--gpus=1.5|gpus '1.5' is neither whole GPUs nor a part of one; write 2 or 1/2",
        "--gpus=0.3333|gpus '0.3333' cannot be counted; write 1/2 to 1/36, or up to three decimals",
        "--gpus=99999|gpus '99999' is more than 1024; no machine has that many",
        "--gres=tpu:1|there is no gres 'tpu' on this machine, only gpu; write gpu:2",
        "--gres=gup:2|gres 'gup:2' is not understood; write gpu:2",
        "--gres=gpu2|gres 'gpu2' is not understood; write gpu:2",
        "--gres=gpus:h100:1|gres 'gpus:h100:1' is not understood; write gpu:h100:1",
        "--gres=gpu:1,shard:1|gres 'gpu:1,shard:1' is a list; ask for GPUs only, and of one type:"
            + " gpu:a100:2",
        "--gpus-per-socket=1|--gpus-per-socket needs --sockets-per-node; or write --gpus",
        "--gpus-per-node=0.5|gpus-per-node '0.5' is not understood; write 2 or a100:2",
        "--gpus-per-node=x:|gpus-per-node 'x:' is not understood; write 2 or a100:2",
        "--gpus-per-node=2 --gres=gpu:1|--gres gpu:1 and --gpus-per-node 2 disagree;"
            + " give one of them",
        "--gpus-per-task=1|--gpus-per-task needs the number of tasks; add --ntasks N",
        "--gpus-per-task=1 --gres=gpu:4|--gpus-per-task needs the number of tasks; add --ntasks N",
        "--gpus-per-task=2 --gpus=3|--gpus 3 cannot be shared out as --gpus-per-task 2;"
            + " change one of them",
        "--gpus-per-task=1 --gres=gpu:4 -n2|--gres gpu:4 and --gpus-per-task 1 × 2 tasks (2 GPUs)"
            + " disagree; change one of them",
        "--ntasks-per-gpu=2|--ntasks-per-gpu needs --gpus or --ntasks; add --gpus 1",
        "--ntasks-per-gpu=2 --gpus=2 -n3|--ntasks 3 and --ntasks-per-gpu 2 on 2 GPUs disagree;"
            + " leave out --ntasks",
        "-n8 --ntasks-per-node=4|--ntasks 8 with --ntasks-per-node 4 needs 2 nodes, and this is one"
            + " machine; raise --ntasks-per-node",
        "-N2|Need 2 nodes, this is one machine (change --nodes to 1 or leave it out)",
        "-N2-4|Need 2 nodes, this is one machine (change --nodes to 1 or leave it out)",
        "-N0|nodes '0' is not a number of nodes; write --nodes 1",
        "-Nall|nodes 'all' is not understood; write --nodes 1",
        "--mem=1G --mem-per-cpu=1G|--mem and --mem-per-cpu exclude each other; give one of them",
        "--mem-per-gpu=1G --gpus=1 --mem=1G|--mem and --mem-per-gpu exclude each other;"
            + " give one of them",
        "--mem-per-gpu=1G|--mem-per-gpu without a GPU; add --gpus 1 or write --mem",
        "--mem-per-cpu=1024T -c2|--mem-per-cpu × 2 is more than 1024T; ask for less",
        "--cpus-per-gpu=2 -c2 --gpus=1|--cpus-per-task and --cpus-per-gpu exclude each other;"
            + " give one of them",
        "--cpus-per-gpu=65536 --gpus=2|2 GPUs × --cpus-per-gpu 65536 are more than 65536 CPUs;"
            + " ask for fewer",
        "--exclusive=me|exclusive 'me' is none of user, mcs, topo; write --exclusive",
        "--retries=1 --retry-on=often|retry-on 'often' is none of fail,oom,gpu-fault,node,timeout,"
            + "preempt,any",
        "--retry-on=oom|--retry-on says after what; add --retries N to say how often",
        "--retry-on=node --no-requeue|--retry-on node and --no-requeue disagree; give one of them",
        "--signal=USR9|there is no signal 'USR9'; did you mean USR1?",
        "--signal=what|there is no signal 'what'; write USR1 or 10",
        "--signal=B:@5|signal 'B:@5' is not understood; write USR1, USR1@120 or B:TERM@60",
        "--signal=10@70000|signal '10@70000': 70000 s before the end; at most 65535",
        "--label|--label is an option of a step; write it after grun or srun",
        "--gres=gpu:0.5|gres 'gpu:0.5' is not understood; write gpu:2 or gpu:a100:2",
        "--gres=gpu:1:2|gres 'gpu:1:2' is not understood; write gpu:2 or gpu:a100:2",
        "--gres=gpu:2 --gpus=1|--gpus 1 and --gres gpu:2 disagree; give one of them",
        "--gpus=a100:1 --gpu-type=h100|GPU types a100 and --gpu-type h100 disagree;"
            + " give one of them",
        "--gpus=1 --gpu-type=1|gpu-type '1' is no word of a model's name; write a100",
        "--gpus=0/4|gpus '0/4' is nothing of a GPU; leave it out, or write 1/4",
        "--gpus=1/0|gpus '1/0' is nothing of a GPU; leave it out, or write 1/4",
        "--gpus=4/4|gpus '4/4' is no part of one GPU; write 1/4, or 2 for whole ones",
        "--gpus=1/37|gpus '1/37' cannot be counted; write 1/2 to 1/36, or up to three decimals",
        "--gpus=1 --placement=pack|--placement is for parts of GPUs; leave it out, or write"
            + " --gpus 0.5",
        "--gpus=1/4 --placement=x|placement 'x' is not understood; write auto, spread or pack",
        "--shared|--shared needs the memory that the job will use: add --gpu-memory 8G,"
            + " or use --gpus 0.5",
        "--shared --gpus=1|--shared needs the memory that the job will use: add --gpu-memory 8G,"
            + " or use --gpus 0.5",
        "--gpu-memory=8G --gpus=1-2|--gpu-memory is memory on GPUs that are shared;"
            + " it does not go with --gpus 1-2",
        "--gpu-memory=8G --gpus=0|--gpu-memory is memory on GPUs that are shared;"
            + " it does not go with --gpus 0",
        "--shared --gpu-memory=0|--gpu-memory must be more than 0; write 8G",
        "--gpu-type=a100|--gpu-type without a GPU; add --gpus 1",
        "--exclude-gpus=1|--exclude-gpus without a GPU; add --gpus 1",
        "--gpu-ids=0 --gpus=0|--gpu-ids without a GPU; add --gpus 1",
        "--gpus=3 --gpu-ids=0-1|--gpus 3 needs 3 GPUs, but --gpu-ids 0-1 names only 2;"
            + " name more or ask for fewer",
        "--gpu-ids=0-1 --exclude-gpus=1|--exclude-gpus 1 takes away GPUs that --gpu-ids 0-1"
            + " asks for",
        "--gpu-ids=a|gpu-ids 'a' is no list of numbers up to 1023; write 0,2 or 0-3",
        "--gpu-ids=3-1|gpu-ids '3-1' goes down from 3 to 1",
        "--gpu-ids=0-99999|gpu-ids '0-99999' is no list of numbers up to 1023;"
            + " write 0,2 or 0-3",
        "--cpus-per-task=0|cpus-per-task '0' is not a whole number; write 1 to 65536",
        "--ntasks=0|ntasks '0' is not a whole number; write 1 to 65536",
        "--ntasks=1000 -c1000|--ntasks 1000 × --cpus-per-task 1000 are more than 65536 CPUs;"
            + " ask for fewer",
        "--mem=lots|size 'lots' is not understood; write 4G, 500M or a number of MB",
        "--time=soon|time 'soon' is not understood; write minutes (30), 4:00:00, 1-12:00, 90s,"
            + " 2h or unlimited",
        "--priority=256|priority '256' is not a whole number; write 0 to 255",
        "--priority=-1|priority '-1' is not a whole number; write 0 to 255",
        "--priority=high|priority 'high' is not a whole number; write 0 to 255",
        "--retries=1001|retries '1001' is not a whole number; write 0 to 1000",
        "--array=5-1|array '5-1' goes down from 5 to 1; write 0-31, 1,5,7, 0-30:2 or 0-99%4",
        "--array=1-3 --param=a=1|--array and --param both make the tasks; give one of them",
        "--array=1-9%2 --max-concurrent=3|--array 1-9%2 and --max-concurrent 3 disagree;"
            + " give one limit",
        "--max-concurrent=3|--max-concurrent is for many tasks; add --array or --param",
        "--param=a=1 --max-concurrent=0|max-concurrent '0' is not a whole number;"
            + " write 1 or more",
        "--param=a=1 --param=a=2|parameter 'a' is given twice; name it once",
        "--param-file=no.csv|param-file 'no.csv': there is no such file in the order",
        "--config=no.yaml|config 'no.yaml': there is no such file in the order",
        "--config=..|config '..' is no file",
        "--depends-on=x|dependency 'x' has an unknown kind 'x'; write 42, afterok:42:43,"
            + " afterany:42, afternotok:42, after:42+5 or singleton",
        "--depends-on=1 -d2|--depends-on and --dependency say the same; give one of them",
        "-d1 --kill-on-invalid-dep=maybe|kill-on-invalid-dep 'maybe' is neither yes nor no",
        "--project=|--project needs a value: --project NAME",
        "--output=|--output needs a value: --output FILE",
        "--open-mode=x|open-mode 'x' is neither append nor truncate",
        "--conda-env=ml|conda environment 'ml' was not looked up; give its folder as conda-prefix",
        "--conda-prefix=ml|conda-prefix 'ml' is no absolute path",
        "--wrap=ls|--wrap and a script or command are both given; give one of them",
        "--export==2|export '=2': '' is no name; write all, none or A,B=value",
      })
  void wrong_options_get_one_line(String options, String line) throws BadInput {
    refused(order(command("x"), options.split(" ")), line);
  }

  @Test
  void names_are_short_and_printable() throws BadInput {
    refused(
        order(command("x"), "--name", " "), "the name is empty; write --name NAME or leave it out");
    refused(
        order(command("x"), "--project", " "),
        "project is empty; write --project NAME or leave it out");
    refused(
        order(command("x"), "--output", "a\nb"), "output 'a b' is no path; write --output PATH");
    refused(
        order(command("x"), "--name", "a\nb"),
        "the name has a control character in it; use plain text");
    refused(
        order(command("x"), "--name", "n".repeat(201)),
        "the name has 201 characters; 200 are the most");
    refused(
        order(command("x"), "--project", "p".repeat(65)),
        "the project has 65 characters; 64 are the most");
  }

  @Test
  void what_cannot_run_is_refused() throws BadInput {
    String nothing = "there is nothing to run; give a script, a command or --wrap 'LINE'";
    refused(order(command()), nothing);
    refused(order(command(" ")), nothing);
    refused(order(new Order.Body.Wrap("  ")), nothing);
    refused(
        order(command("a", "b\0")),
        "the command has a NUL character in it; no program can get that");
  }

  @Test
  void a_script_that_cannot_be_read_is_refused() throws BadInput {
    refused(order(script(" \n")), "train.sh is empty: there is nothing to run");
    refused(
        order(script("echo hi\n")),
        "train.sh line 1: it does not say who reads it; write #!/bin/bash or the like as line 1");
    refused(
        order(script("#!/bin/sh\n\necho\r\n")),
        "train.sh line 3: Windows line end (CRLF), which a shell cannot read; run: sed -i 's/\\r"
            + "$//' train.sh");
    refused(order(script("\u007fELF\0")), "train.sh is binary, not a script");
    refused(
        order(script("#!/bin/sh\n#SBATCH --gpu=1\n")),
        "train.sh line 2: there is no option --gpu; did you mean --gpus? (gbatch --help lists"
            + " them)");
  }

  @Test
  void an_unknown_option_of_the_api_is_refused_with_a_guess() throws BadInput {
    var options = new TreeMap<String, List<String>>();
    options.put("prioritty", List.of("5"));
    Order good = order(command("x"));

    refused(
        new Order(options, good.body(), good.origin(), good.files()),
        "there is no option --prioritty; did you mean --priority? (gbatch --help lists them)");
  }

  @Test
  void contradictions_of_the_api_are_refused() throws BadInput {
    var options = new TreeMap<String, List<String>>();
    options.put("requeue", List.of("true"));
    options.put("no-requeue", List.of("true"));
    Order good = order(command("x"));

    refused(
        new Order(options, good.body(), good.origin(), good.files()),
        "--requeue and --no-requeue disagree; give one of them");
  }
}
