/** What callers ask of the daemon, each in a class of its own. */
@NullMarked
package gflow.daemon.service;

import org.jspecify.annotations.NullMarked;
