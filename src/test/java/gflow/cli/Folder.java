package gflow.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The files that the command lines of the golden tests name. */
public final class Folder {
  private static final String SUBMITIT =
      """
      #!/bin/bash

      # Parameters
      #SBATCH --cpus-per-task=4
      #SBATCH --error=%j_0_log.err
      #SBATCH --gpus-per-node=1
      #SBATCH --job-name=submitit
      #SBATCH --mem=8GB
      #SBATCH --nodes=1
      #SBATCH --ntasks-per-node=1
      #SBATCH --open-mode=append
      #SBATCH --output=%j_0_log.out
      #SBATCH --signal=USR2@90
      #SBATCH --time=60
      #SBATCH --wckey=submitit

      # command
      export SUBMITIT_EXECUTOR=slurm
      srun --output %j_%t_log.out --unbuffered python -u -m submitit.core._submit .
      """;

  private static final String NEXTFLOW =
      """
      #!/bin/bash
      #SBATCH -J nf-align_(1)
      #SBATCH -o .command.log
      #SBATCH --no-requeue
      #SBATCH -c 2
      #SBATCH -t 01:00:00
      #SBATCH --mem 2048M
      #SBATCH -p long
      #SBATCH --signal B:USR2@30
      NXF_CHDIR=.
      ### ---
      """;

  private Folder() {}

  public static void fill(Path folder) throws IOException {
    write(folder, "train.sh", "#!/bin/bash\n# GFLOW --gpus 2\npython train.py \"$@\"\n");
    write(folder, "config.sh", "#!/bin/sh\n# GFLOW --config exp.yaml\ntrue\n");
    write(folder, "submission.sh", SUBMITIT);
    write(folder, ".command.run", NEXTFLOW);
    write(folder, "late.sh", "#!/bin/sh\ntrue\n#SBATCH --time 5\n");
    write(folder, "exp.yaml", "lr: 0.1\n");
    write(folder, "noconfig.sh", "#!/bin/sh\n# GFLOW --config nowhere.yaml\ntrue\n");
    write(folder, "noconda.sh", "#!/bin/sh\n# GFLOW --conda-env torhc\ntrue\n");
    write(folder, "unknown-directive.sh", "#!/bin/sh\n#SBATCH --gpuss 2\ntrue\n");
    write(folder, "half-directive.sh", "#!/bin/sh\n# GFLOW --time\ntrue\n");
    write(folder, "word-directive.sh", "#!/bin/sh\n# GFLOW gpus 2\ntrue\n");
    write(folder, "quote-directive.sh", "#!/bin/sh\n#SBATCH --comment 'half\ntrue\n");
    write(folder, "train.py", "import torch\n");
    write(folder, "empty.sh", "");
    write(folder, "blank.sh", "\n\n");
    write(folder, "crlf.sh", "#!/bin/sh\r\ntrue\r\n");
    write(folder, "data.bin", "\0\1\2\0");
    write(folder, "prog", "\u007fELF\0\0\0");
    write(folder, "grid.csv", "lr,seed\n0.1,1\n");
    write(folder, "orders.jsonl", "{\"command\":[\"true\"],\"gpus\":1}\n\n{\"wrap\":\"a && b\"}\n");
    write(folder, "broken.jsonl", "{\"command\":[\"true\"]}\n{\"command\":\n");
    write(folder, "bodyless.jsonl", "{\"gpus\":1}\n");
    write(folder, "textcommand.jsonl", "{\"command\":\"true\"}\n");
    write(folder, "noconfig.jsonl", "{\"command\":[\"true\"],\"config\":\"nowhere.yaml\"}\n");
    write(folder, "badgpus.jsonl", "{\"command\":[\"true\"],\"gpus\":\"-1\"}\n");
    write(folder, "list.jsonl", "[1]\n");
    write(folder, "locked.sh", "#!/bin/sh\ntrue\n");
    Files.createDirectories(folder.resolve("dir"));
    Files.createDirectories(folder.resolve("bin"));
    for (String program : new String[] {"prog", "bin/python", "bin/true", "bin/dir"}) {
      if (!program.equals("prog")) {
        write(folder, program, "#!/bin/sh\n");
      }
      Files.setPosixFilePermissions(
          folder.resolve(program), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    items(folder);
    for (String prefix : new String[] {"home/miniconda3", "home/miniconda3/envs/torch", "own"}) {
      Files.createDirectories(folder.resolve(prefix).resolve("conda-meta"));
    }
    Files.setPosixFilePermissions(
        folder.resolve("locked.sh"), PosixFilePermissions.fromString("---------"));
  }

  private static void items(Path folder) throws IOException {
    Files.createDirectories(folder.resolve("mol"));
    for (String name : new String[] {"a", "b", "it's two"}) {
      write(folder, "mol/" + name + ".xyz", name + "\n");
    }
    for (String key : new String[] {"1", "2"}) {
      write(folder, "mol/pred_" + key + ".pt", "");
      write(folder, "mol/gt_" + key + ".pt", "");
      write(folder, "mol/mask-" + key, "");
    }
    write(folder, "mol/gt_3.pt", "");
    write(folder, "list.txt", "a\n\nb\na\n");
    write(folder, "table.csv", "lr,seed\n0.1,1\n0.01,2\n");
    write(folder, "short.csv", "lr,seed\n0.1,1\n0.01\n");
    write(folder, "quote.csv", "lr\n\"0.1\n");
    write(folder, "rows.jsonl", "{\"lr\":0.10,\"opt\":{\"m\":1}}\n{\"lr\":1e-4,\"opt\":null}\n");
    write(folder, "missing.jsonl", "{\"lr\":1,\"n\":2}\n{\"lr\":1}\n");
  }

  private static void write(Path folder, String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }
}
