import RefreshIndicator
import RefreshProtocol

/// An indicator that is played for a client that cannot, and what the client was told of it.
struct PlayedIndicator {
    private(set) var player: IndicatorPlayer
    private var sent: SentLook
    /// Whether the look may be another one than was told.
    private var isUncertain = true
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
        isUncertain = true
    }

    /// Brings the look to `now`. One that stands still stays as it was.
    mutating func look(at now: Double) {
        guard isUncertain || isMoving else { return }
        isMoving = player.nextChange(after: now) != nil
        player.look(at: now)
        isUncertain = true
    }

    /// When it will look different by itself.
    mutating func nextChange(after now: Double) -> Double? {
        isUncertain || isMoving ? player.nextChange(after: now) : nil
    }

    /// Whether the client is to be told anything.
    mutating func hasNews() -> Bool {
        guard isUncertain else { return false }
        isUncertain = sent.differs(from: player)
        return isUncertain
    }

    /// Appends `"frame":{…}` if there is anything to tell.
    mutating func writeFrame(to out: inout ByteBuffer) {
        guard isUncertain else { return }
        isUncertain = false
        sent.writeChanges(of: player, to: &out)
    }
}
