/// What is true of a load that somebody waits for. It ends from each with an outcome for everybody,
/// or when nobody waits any more.
enum FlightPhase: Hashable, Sendable {
    /// It stands in its backend's queue. Becomes `calling` when it is its turn.
    case queued
    /// That call runs for it. Becomes `pausing` if it fails and may be tried again.
    case calling(FlightID)
    /// It holds no call. Becomes `calling` or `queued` when the pause is over.
    case pausing
}
