import RefreshProtocol

/// The time of a simulated world.
///
/// `@unchecked Sendable`: a world lives on one thread, which alone touches `now`; that of the
/// world's own daemons is told to parts that production asks from several.
final class SimulatedClock: @unchecked Sendable {
    var now = Instant(milliseconds: 1000)

    /// Since 1970, UTC.
    var wallMilliseconds: Int64 { 1_700_000_000_000 + now.microseconds / 1000 }
}
