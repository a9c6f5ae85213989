import RefreshProtocol

/// The movements that a client with diagnostics reports in one view, as far as they can show a
/// mistake of a new client. Source: docs/protocol.md, "Mistakes of a new client".
struct MovementCheck: Hashable, Codable {
    /// The generation of the view; 0 for messages that name no attached view.
    let generation: UInt32
    /// The mistakes of which the client was informed.
    private var reported: [DiagnosticCode] = []
    /// Whether the view had items but no content when the movement began.
    var lacksContent = false
    /// Whether a finger has made the movement and was lifted.
    var isReleased = false
    /// Whether the last sample was an `ended`, `cancelled` or `decelerating` of `scroll`.
    var awaitsIdle = false
    /// When the list was released beyond its start without a movement towards the end. Nil if a
    /// later sample was received.
    var releasedBeyondStartAt: Instant?
    /// The largest share of the inset that the daemon held open at the start during the movement,
    /// in points. The client may rest at it even if the daemon has closed it meanwhile.
    private(set) var room = 0.0

    init(generation: UInt32) { self.generation = generation }

    /// Records that the client is informed of the mistake. Returns false if it was informed before.
    mutating func recordReport(of code: DiagnosticCode) -> Bool {
        guard !reported.contains(code) else { return false }
        reported.append(code)
        return true
    }

    /// Records that the daemon holds this room open, in points.
    mutating func widenRoom(to share: Double) { room = max(room, share) }

    /// Forgets the movement.
    mutating func endMovement() {
        let reported = reported
        self = MovementCheck(generation: generation)
        self.reported = reported
    }
}
