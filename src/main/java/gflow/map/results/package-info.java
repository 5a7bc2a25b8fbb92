/** What came of the items: a line for each, and what is put right before a map goes on. */
@NullMarked
package gflow.map.results;

import org.jspecify.annotations.NullMarked;
