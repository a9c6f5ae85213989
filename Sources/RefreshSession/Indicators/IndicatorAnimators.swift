import RefreshIndicator
import RefreshProtocol

/// The indicators that the daemon plays for a client at the two edges of a view. Each indicator is
/// played at its own rate.
struct IndicatorAnimators: ~Copyable {
    var refresh: UnsafeBox<PlayedIndicator>?
    var loadMore: UnsafeBox<PlayedIndicator>?
    /// The next time at which one of the indicators changes without input; `never` if nothing
    /// moves.
    var due = Instant.never

    @inline(__always)
    mutating func show(
        _ role: EdgeRole, _ state: EdgeState, _ pull: Double, _ result: LoadResult?,
        at now: Instant
    ) {
        switch role {
        case .refresh: refresh?.value.show(state, pull, result, at: now)
        case .loadMore: loadMore?.value.show(state, pull, result, at: now)
        }
    }

    @inline(__always)
    mutating func advance(to now: Instant) {
        due = .never
        refresh?.value.advance(to: now)
        if let next = refresh?.value.due { due = next }
        loadMore?.value.advance(to: now)
        if let next = loadMore?.value.due, next < due { due = next }
    }

    mutating func hasChanges() -> Bool {
        if refresh?.value.hasChanges() == true { return true }
        return loadMore?.value.hasChanges() == true
    }
}

extension IndicatorAnimators: FrameWriting {
    mutating func mayHaveFrame(of role: EdgeRole) -> Bool {
        switch role {
        case .refresh: refresh?.value.mayHaveChanges == true
        case .loadMore: loadMore?.value.mayHaveChanges == true
        }
    }

    @inline(__always)
    mutating func writeFrame(of role: EdgeRole, behindMember: Bool, to out: inout ByteBuffer) {
        switch role {
        case .refresh: refresh?.value.writeFrame(behindMember: behindMember, to: &out)
        case .loadMore: loadMore?.value.writeFrame(behindMember: behindMember, to: &out)
        }
    }
}

// MARK: Saved state
extension IndicatorAnimators {
    /// The state of the played indicators, without the programmes.
    struct SavedState: Hashable, Codable {
        var refresh: PlayedIndicator.SavedState?
        var loadMore: PlayedIndicator.SavedState?
        var due: Instant
    }

    /// The saved state. The property is `mutating` only so that it is called in place and not on a
    /// copy.
    var savedState: SavedState {
        mutating get {
            SavedState(
                refresh: refresh?.value.savedState, loadMore: loadMore?.value.savedState, due: due)
        }
    }
}
