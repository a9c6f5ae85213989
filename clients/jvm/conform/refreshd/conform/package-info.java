/**
 * The driver with which {@code refresh-probe conform --listen} grades the client
 * (docs/conformance.md, "Grading a client").
 */
package refreshd.conform;
