import RefreshIndicator
import RefreshProtocol

/// An indicator that the daemon plays for a client. It consists of the player, the last frame that
/// was sent, and the time at which the look (the values of all layers) must be evaluated again.
struct PlayedIndicator: ~Copyable {
    enum PendingChange: Hashable, Codable {
        /// The look may differ from the last frame that was sent.
        case unknown
        /// The look may differ, but only in the values that the pull moves. The difference is
        /// computed when the frame is written.
        case pulled
        case none, some
    }

    private var player: IndicatorPlayer
    private var sent: LastSentFrame
    private var pendingChange = PendingChange.unknown
    /// Whether the client has received all values of the current look, apart from those that the
    /// pull moves.
    private var isRestSent = false
    /// Whether the edge has changed since the look was last evaluated.
    private var hasEdgeChanged = true
    /// The next time at which the look changes without input; `never` if nothing moves.
    private(set) var due = Instant.never
    private var lastFrameAt = Instant.origin
    /// The time between two clock-driven frames, in milliseconds.
    private let interval: Double

    init(_ player: IndicatorPlayer, rate: Int) {
        self.player = player
        sent = LastSentFrame(player.choreography)
        interval = 1000 / Double(rate)
    }

    /// Applies a change of the edge.
    @inline(__always)
    mutating func show(
        _ state: EdgeState, _ pull: Double, _ result: LoadResult?, at now: Instant
    ) {
        player.show(state, pull: pull, result: result, at: now.milliseconds)
        hasEdgeChanged = true
    }

    /// Advances the look to `now` if the edge has changed, or if the look is due to change without
    /// input.
    @inline(__always)
    mutating func advance(to now: Instant) {
        guard hasEdgeChanged || due <= now else { return }
        hasEdgeChanged = false
        if player.isSteady, isRestSent { return pendingChange = .pulled }
        advanceFully(to: now)
    }

    @inline(never)
    private mutating func advanceFully(to now: Instant) {
        pendingChange = .unknown
        isRestSent = false
        let time = now.milliseconds
        player.advance(to: time)
        guard let change = player.nextChange(after: time) else { return due = .never }
        if lastFrameAt.advanced(byMilliseconds: interval) <= now { lastFrameAt = now }
        // Instants are whole microseconds, so the conversion can make the moment too early. The
        // added microsecond prevents this.
        let moment = Instant(milliseconds: change + 0.001)
        due = max(moment, lastFrameAt.advanced(byMilliseconds: interval))
    }

    /// Whether there is possibly a change to send.
    var mayHaveChanges: Bool { pendingChange != .none }

    /// Whether there is a change to send.
    mutating func hasChanges() -> Bool {
        switch pendingChange {
        case .none: return false
        case .some: return true
        case .pulled: return sent.hasUnsentPull(player.choreography, pulledTo: player.pull)
        case .unknown:
            let isOther = sent.record(player)
            pendingChange = isOther ? .some : .none
            if !isOther { isRestSent = player.isSteady }
            return isOther
        }
    }

    /// Appends `"frame":{…}` if there is a change to send. `behindMember` states whether another
    /// member precedes `frame`, so that a comma is needed.
    @inline(__always)
    mutating func writeFrame(behindMember: Bool, to out: inout ByteBuffer) {
        if pendingChange == .none { return }
        if pendingChange == .pulled {
            sent.write(
                player.choreography, pulledTo: player.pull, behindMember: behindMember, to: &out)
        } else {
            guard hasChanges() else { return }
            sent.writeChanges(of: player, behindMember: behindMember, to: &out)
            isRestSent = player.isSteady
        }
        pendingChange = .none
    }
}

// MARK: Saved state
extension PlayedIndicator {
    /// The whole state, without the programme.
    struct SavedState: Hashable, Codable {
        fileprivate var player: IndicatorPlayer.SavedState
        fileprivate var sent: LastSentFrame
        fileprivate var pendingChange: PendingChange
        fileprivate var isRestSent: Bool
        fileprivate var hasEdgeChanged: Bool
        fileprivate var due: Instant
        fileprivate var lastFrameAt: Instant

        private enum CodingKeys: String, CodingKey {
            case player, sent, due
            case pendingChange = "news"
            case isRestSent = "isRestTold"
            case hasEdgeChanged = "isTold"
            case lastFrameAt = "framedAt"
        }
    }

    var savedState: SavedState {
        SavedState(
            player: player.savedState, sent: sent, pendingChange: pendingChange,
            isRestSent: isRestSent, hasEdgeChanged: hasEdgeChanged, due: due,
            lastFrameAt: lastFrameAt)
    }

    /// Restores the state. Returns nil if the state does not fit this programme.
    init?(_ choreography: Choreography, rate: Int, _ saved: SavedState) {
        guard let player = IndicatorPlayer(choreography, saved.player),
            saved.sent.isConsistent(with: choreography)
        else { return nil }
        self.init(player, rate: rate)
        sent = saved.sent
        pendingChange = saved.pendingChange
        isRestSent = saved.isRestSent
        hasEdgeChanged = saved.hasEdgeChanged
        due = saved.due
        lastFrameAt = saved.lastFrameAt
    }
}
