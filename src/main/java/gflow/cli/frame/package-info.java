/** What every command works with: the call, its output, tables, and how mistakes are said. */
@NullMarked
package gflow.cli.frame;

import org.jspecify.annotations.NullMarked;
