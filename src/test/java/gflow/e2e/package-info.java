/** The packed program, a real daemon and real processes, each test in a home of its own. */
@NullMarked
package gflow.e2e;

import org.jspecify.annotations.NullMarked;
