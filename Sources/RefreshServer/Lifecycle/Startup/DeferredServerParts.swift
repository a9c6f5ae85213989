internal import Synchronization

/// Holds the parts from which the loops create their handlers. The loops are created before the
/// parts, because creating a loop can fail, and creating the parts starts threads and programs. The
/// parts are provided before the loops run.
final class DeferredServerParts: Sendable {
    private let held = Mutex<ServerParts?>(nil)

    /// The parts; nil until the server is created.
    var parts: ServerParts? { held.withLock { $0 } }

    func provide(_ parts: ServerParts) { held.withLock { $0 = parts } }
}
