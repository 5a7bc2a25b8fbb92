/**
 * The service that the daemon offers: requests, answers, and how they travel as JSON over HTTP on
 * the Unix socket. Commands use it in-process behind the door, or through the client.
 */
@NullMarked
package gflow.api;

import org.jspecify.annotations.NullMarked;
