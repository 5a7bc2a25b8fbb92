/**
 * The order of the house: which room may see which, what the pure rooms must not touch, and how
 * tidy the sources are. Each wall has a fixture that must run into it.
 */
@NullMarked
package gflow.house;

import org.jspecify.annotations.NullMarked;
