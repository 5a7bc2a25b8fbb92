/** Options and their command lines: what is taken, what was given, and the help for it. */
@NullMarked
package gflow.script.grammar;

import org.jspecify.annotations.NullMarked;
