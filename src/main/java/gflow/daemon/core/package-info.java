/** The queue and its one writer: what is decided, committed and then done. */
@NullMarked
package gflow.daemon.core;

import org.jspecify.annotations.NullMarked;
