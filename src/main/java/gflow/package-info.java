/** The program: {@code Main} builds everything from the rooms. */
@NullMarked
package gflow;

import org.jspecify.annotations.NullMarked;
