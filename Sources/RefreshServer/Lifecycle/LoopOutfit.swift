internal import Synchronization

/// What the loops' handlers are made with. The loops are made before it is, since they can fail and
/// it begins what would have to be ended then; it is there before they run.
final class LoopOutfit: Sendable {
    private let held = Mutex<ServerParts?>(nil)

    /// Nil until the server is made.
    var parts: ServerParts? { held.withLock { $0 } }

    func complete(_ parts: ServerParts) { held.withLock { $0 = parts } }
}
