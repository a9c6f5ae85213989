internal import RefreshProtocol

/// When it is worth while to give memory back: many sessions have left since it was done last, and
/// the crowd is over. The heap is locked meanwhile, so it is not done while they still leave.
struct CalmMoment {
    /// So many have to have left since; fewer leave in a second that counts as calm.
    static let leftMin = 256
    static let calmMax = 16
    private static let pauseMs = 10_000.0

    private var givenBackAt: Instant?
    /// How many had left by then, and by the last time that it was asked.
    private var leftThen = 0
    private var leftBefore = 0

    /// Whether memory is to be given back now. `left`: the sessions that have ended since the
    /// process began. To be asked once in a second.
    mutating func hasCome(left: Int, at now: Instant) -> Bool {
        defer { leftBefore = left }
        guard left - leftThen >= Self.leftMin, left - leftBefore < Self.calmMax,
            givenBackAt.map({ now.milliseconds(since: $0) >= Self.pauseMs }) ?? true
        else { return false }
        givenBackAt = now
        leftThen = left
        return true
    }
}
