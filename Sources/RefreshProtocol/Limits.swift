/// Every bound of the daemon, in one place; the unit stands last in the name.
///
/// Defaults are for one daemon on a small machine. The configuration may change each of them
/// (`limits:`, same names). Source: docs/protocol.md, "Limits".
package struct Limits: Hashable, Sendable {
    // What a message may be.
    package var frameBytesMax = 65_536
    package var jsonDepthMax = 16
    package var stringBytesMax = 1024
    package var batchMessagesMax = 64
    package var parametersMax = 16
    package var headersMax = 16
    /// Absolute bound of every length and offset, points.
    package var geometryPointsMax = 10_000_000
    /// Absolute bound of every velocity, points per second.
    package var velocityMax = 1_000_000
    package var pageSizeMax = 1000

    // What a session may hold.
    package var viewsPerSessionMax = 32
    package var faultBudgetMax = 100
    /// Bytes of items, loads and errors that may wait for one client.
    package var queueBytesMax = 4_194_304
    /// Keys that one view remembers of the items it has shown.
    package var itemKeysPerViewMax = 10_000

    // What the daemon may hold.
    package var sessionsMax = 20_000
    package var loadsInFlightMax = 1024
    package var backendResponseBytesMax = 8_388_608
    /// Bytes of all answers that are kept.
    package var cacheBytesMax = 67_108_864
    package var workersMax = 64
    package var echoBytesMax = 16_777_216

    // How long things may take, milliseconds.
    package var helloTimeoutMs = 10_000
    package var gestureSilenceMs = 5_000
    package var loadDeadlineMs = 30_000
    package var heartbeatMs = 25_000

    package init() {}
}
