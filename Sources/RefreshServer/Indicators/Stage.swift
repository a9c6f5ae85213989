import RefreshIndicator
import RefreshProtocol

/// The indicators at the two edges of a view that are played for its client, each at its own rate.
struct Stage: ~Copyable {
    var refresh: PlayedIndicator?
    var loadMore: PlayedIndicator?
    /// When one will look different by itself; never: nothing moves.
    private(set) var due = Instant.never

    @inline(__always)
    mutating func show(
        _ role: EdgeRole, _ state: EdgeState, _ pull: Double, _ result: LoadResult?,
        at now: Instant
    ) {
        switch role {
        case .refresh: refresh?.show(state, pull, result, at: now)
        case .loadMore: loadMore?.show(state, pull, result, at: now)
        }
    }

    @inline(__always)
    mutating func look(at now: Instant) {
        due = .never
        refresh?.look(at: now)
        if let next = refresh?.due { due = next }
        loadMore?.look(at: now)
        if let next = loadMore?.due, next < due { due = next }
    }

    mutating func hasNews() -> Bool {
        if refresh?.hasNews() == true { return true }
        return loadMore?.hasNews() == true
    }
}

extension Stage: FrameWriting {
    @inline(__always)
    mutating func writeFrame(of role: EdgeRole, behindMember: Bool, to out: inout ByteBuffer) {
        switch role {
        case .refresh: refresh?.writeFrame(behindMember: behindMember, to: &out)
        case .loadMore: loadMore?.writeFrame(behindMember: behindMember, to: &out)
        }
    }
}
