import RefreshIndicator
import RefreshProtocol

/// An indicator that is played for a client that cannot, and what the client was told of it.
struct Performance {
    private enum News {
        /// The look may be another one than was told.
        case unknown
        case none, some
    }

    private(set) var player: IndicatorPlayer
    private var sent: SentLook
    private var news = News.unknown
    private var isMoving = true

    init(_ player: IndicatorPlayer) {
        self.player = player
        sent = SentLook(player.choreography)
    }

    /// The edge shows something else.
    mutating func show(
        _ state: EdgeState, _ pull: Double, _ result: LoadResult?, at now: Double
    ) {
        player.show(state, pull: pull, result: result, at: now)
        news = .unknown
    }

    /// Brings the look to `now`. One that stands still stays as it was.
    mutating func look(at now: Double) {
        guard news != .none || isMoving else { return }
        isMoving = player.nextChange(after: now) != nil
        player.look(at: now)
        news = .unknown
    }

    /// When it will look different by itself.
    mutating func nextChange(after now: Double) -> Double? {
        news != .none || isMoving ? player.nextChange(after: now) : nil
    }

    /// Whether the client is to be told anything.
    mutating func hasNews() -> Bool {
        if news == .unknown { news = sent.note(player) ? .some : .none }
        return news == .some
    }

    /// Appends `"frame":{…}` if there is anything to tell.
    mutating func writeFrame(to out: inout ByteBuffer) {
        guard hasNews() else { return }
        news = .none
        sent.writeChanges(of: player, to: &out)
    }
}
