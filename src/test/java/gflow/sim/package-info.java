/**
 * The simulated surroundings of the real core: time, a machine with processes that do as they like,
 * users, and the laws that must hold whatever these do. All chance comes from one seed.
 */
@NullMarked
package gflow.sim;

import org.jspecify.annotations.NullMarked;
