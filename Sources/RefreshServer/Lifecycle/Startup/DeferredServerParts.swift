internal import Synchronization

/// Holds what the loops' handlers are created from. The loops are created first, because that can
/// fail; creating the parts starts what would have to be stopped then. The parts are there before
/// the loops run.
final class DeferredServerParts: Sendable {
    private let held = Mutex<ServerParts?>(nil)

    /// The parts; nil until the server is created.
    var parts: ServerParts? { held.withLock { $0 } }

    func provide(_ parts: ServerParts) { held.withLock { $0 = parts } }
}
