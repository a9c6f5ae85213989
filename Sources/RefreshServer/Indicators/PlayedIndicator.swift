import RefreshIndicator
import RefreshProtocol

/// An indicator that is played for a client that cannot, what the client was told of it, and when it is to be
/// looked at again.
struct PlayedIndicator {
    private enum News {
        /// The look may be another one than was told.
        case unknown
        case none, some
    }

    private var player: IndicatorPlayer
    private var sent: SentLook
    private var news = News.unknown
    /// Whether the edge shows something else since the last look.
    private var isTold = true
    /// When it will look different by itself; never: it stands still.
    private(set) var due = Instant.never
    private var framedAt = Instant.origin
    /// Milliseconds from frame to frame of what moves by itself.
    private let interval: Double

    init(_ player: IndicatorPlayer, rate: Int) {
        self.player = player
        sent = SentLook(player.choreography)
        interval = 1000 / Double(rate)
    }

    /// The edge shows something else.
    mutating func show(
        _ state: EdgeState, _ pull: Double, _ result: LoadResult?, at now: Instant
    ) {
        player.show(state, pull: pull, result: result, at: now.milliseconds)
        isTold = true
    }

    /// Brings the look to `now`, if it is time.
    mutating func look(at now: Instant) {
        guard isTold || due <= now else { return }
        isTold = false
        news = .unknown
        let time = now.milliseconds
        player.look(at: time)
        guard let change = player.nextChange(after: time) else { return due = .never }
        if framedAt.advanced(byMilliseconds: interval) <= now { framedAt = now }
        // Not before the moment has come, to the microsecond.
        let moment = Instant(milliseconds: change + 0.001)
        due = max(moment, framedAt.advanced(byMilliseconds: interval))
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
