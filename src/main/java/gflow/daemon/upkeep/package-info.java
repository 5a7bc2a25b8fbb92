/** What nobody asks for: an eye on GPUs, disk and logs, and forgetting what is old. */
@NullMarked
package gflow.daemon.upkeep;

import org.jspecify.annotations.NullMarked;
