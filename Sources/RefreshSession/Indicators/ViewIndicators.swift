import RefreshEngine
import RefreshIndicator
import RefreshProtocol

/// The indicators of one view of a `stream` or `local` client. A view of a `plain` client has none.
///
/// The daemon plays the indicators for a `stream` client. During a pull, each sample advances them.
/// While an indicator moves without input, the loop's clock advances it. This type is a class, so
/// that a view without indicators needs no memory for them.
final class ViewIndicators {
    let settings: FrameSettings
    private var refresh: EdgeIndicator?
    private var loadMore: EdgeIndicator?
    /// The played indicators. They are accessed several times with each message.
    let animators: UnsafeBox<IndicatorAnimators>

    init(_ settings: FrameSettings) {
        self.settings = settings
        animators = UnsafeBox(IndicatorAnimators())
    }

    /// The next time at which the look of an indicator (the values of all its layers) changes
    /// without input; `never` if no indicator moves.
    var nextFrame: Instant {
        @inline(__always) get { animators.value.due }
    }

    /// Sets the indicator that the client draws at the edge; nil for none.
    func setIndicator(
        _ role: EdgeRole, _ indicator: (name: String, programme: PreparedIndicator)?,
        state: EdgeState, pull: Double, at now: Instant
    ) {
        let new = indicator.map { EdgeIndicator(name: $0.name, programme: $0.programme) }
        switch role {
        case .refresh:
            refresh = new
            animators.value.refresh = makePlayedIndicator(
                role, new, state: state, pull: pull, at: now)
        case .loadMore:
            loadMore = new
            animators.value.loadMore = makePlayedIndicator(
                role, new, state: state, pull: pull, at: now)
        }
        animators.value.advance(to: now)
    }

    /// Returns the played indicator; nil for a client that plays its indicators itself.
    private func makePlayedIndicator(
        _ role: EdgeRole, _ indicator: EdgeIndicator?, state: EdgeState, pull: Double,
        at now: Instant
    ) -> UnsafeBox<PlayedIndicator>? {
        guard let programme = indicator?.programme, settings.mode == .stream else { return nil }
        let player = IndicatorPlayer(
            programme.choreography, role: role, motion: settings.motion, state: state, pull: pull,
            at: now.milliseconds)
        return UnsafeBox(PlayedIndicator(player, rate: min(programme.rate, settings.rate)))
    }

    subscript(role: EdgeRole) -> EdgeIndicator? {
        switch role {
        case .refresh: refresh
        case .loadMore: loadMore
        }
    }

    /// Applies a change of an edge.
    @inline(__always)
    func show(
        _ role: EdgeRole, _ state: EdgeState, pull: Double, result: LoadResult?, at now: Instant
    ) {
        animators.value.show(role, state, pull, result, at: now)
    }

    /// Passes the pull to the indicators. The pull can go beyond the threshold, whereas the
    /// progress in updates cannot, unless `progressMax` permits it. The engine is read in place and
    /// not changed.
    @inline(__always)
    func followPull(_ engine: inout Engine, at now: Instant) {
        let state = engine.refresh.phase.state
        switch state {
        case .pulling, .eligible:
            animators.value.show(.refresh, state, engine.pullFractionInPlace(), nil, at: now)
        default: break
        }
    }

    /// Advances the looks to `now`.
    @inline(__always)
    func advance(to now: Instant) { animators.value.advance(to: now) }

    /// Whether a look has changed since it was last sent.
    func hasChanges() -> Bool { animators.value.hasChanges() }

    /// Appends the member `frame` of an edge if the look has changed since the last frame. Another
    /// member must precede it.
    func writeFrame(of role: EdgeRole, to out: inout ByteBuffer) {
        animators.value.writeFrame(of: role, behindMember: true, to: &out)
    }

    // MARK: Saved state

    /// The state of all indicators, without the programmes. The names of the programmes are stored
    /// instead.
    struct SavedState: Hashable, Codable {
        var refresh: String?
        var loadMore: String?
        var animators: IndicatorAnimators.SavedState

        private enum CodingKeys: String, CodingKey {
            case refresh, loadMore
            case animators = "stage"
        }
    }

    var savedState: SavedState {
        SavedState(
            refresh: refresh?.name, loadMore: loadMore?.name,
            animators: animators.value.savedState)
    }

    /// Restores the state. `programme` finds the programmes by name. Returns nil if the state does
    /// not fit the programmes.
    init?(
        _ settings: FrameSettings, _ saved: SavedState, programme: (String) -> PreparedIndicator?
    ) {
        func played(
            _ indicator: EdgeIndicator?, _ saved: PlayedIndicator.SavedState?
        ) -> UnsafeBox<PlayedIndicator>? {
            guard let programme = indicator?.programme, let saved else { return nil }
            let rate = min(programme.rate, settings.rate)
            guard let played = PlayedIndicator(programme.choreography, rate: rate, saved) else {
                return nil
            }
            return UnsafeBox(played)
        }
        self.settings = settings
        refresh = saved.refresh.flatMap { name in
            programme(name).map { EdgeIndicator(name: name, programme: $0) }
        }
        loadMore = saved.loadMore.flatMap { name in
            programme(name).map { EdgeIndicator(name: name, programme: $0) }
        }
        let first = played(refresh, saved.animators.refresh)
        let second = played(loadMore, saved.animators.loadMore)
        guard (first == nil) == (saved.animators.refresh == nil),
            (second == nil) == (saved.animators.loadMore == nil)
        else { return nil }
        animators = UnsafeBox(
            IndicatorAnimators(refresh: first, loadMore: second, due: saved.animators.due))
    }
}
