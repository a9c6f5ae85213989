/**
 * A client of refreshd, the daemon that owns pull-to-refresh and load-more. Begin with {@link
 * refreshd.client.RefreshClient}.
 *
 * <p>The protocol page ({@code docs/protocol.md}) of the project specifies every message. Lengths
 * are points (density-independent pixels), times are milliseconds, velocities are points per
 * second.
 */
@NonNullByDefault
package refreshd.client;
