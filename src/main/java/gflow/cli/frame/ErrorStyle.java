package gflow.cli.frame;

import gflow.script.value.BadInput;
import java.util.List;

/** How a command says what is wrong. Each returns the exit code. */
public interface ErrorStyle {
  /** gflow's own way: one line after the command's name, 2 for what was typed wrong. */
  ErrorStyle OURS =
      new ErrorStyle() {
        private static final int USAGE = 2;

        @Override
        public int misread(Call call, List<String> words, BadInput bad) {
          return wrong(call, bad);
        }

        @Override
        public int wrong(Call call, BadInput bad) {
          boolean named = bad.line().startsWith(call.name() + ": ");
          call.output().problem(named ? bad.line() : call.name() + ": " + bad.line());
          return USAGE;
        }

        @Override
        public int refused(Call call, Refused refused) {
          call.problem(refused.line());
          return refused.exitCode();
        }
      };

  /** These words are no command line. */
  int misread(Call call, List<String> words, BadInput bad);

  int wrong(Call call, BadInput bad);

  int refused(Call call, Refused refused);
}
