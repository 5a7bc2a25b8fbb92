package gflow.daemon.core;

import gflow.store.Change;
import java.util.List;

/**
 * Named points at which a test may stop the daemon dead, as a crash would. Off unless asked for.
 */
public interface CommitHooks {
  CommitHooks NONE =
      new CommitHooks() {
        @Override
        public void before(String what, List<Change> changes) {}

        @Override
        public void after(String what, List<Change> changes) {}
      };

  /** Just before a commit of these changes. */
  void before(String what, List<Change> changes);

  void after(String what, List<Change> changes);
}
