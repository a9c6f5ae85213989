import RefreshEngine
import RefreshIndicator
import RefreshProtocol

/// The indicators of one view whose client draws programmes; a `plain` one has none.
///
/// For a `stream` client they are played here: by each sample while pulling, and by the loop's
/// clock while something moves by itself. A class, so that a view without them is no larger for it.
final class ViewIndicators {
    let settings: FrameSettings
    private var refresh: EdgeIndicator?
    private var loadMore: EdgeIndicator?
    /// Looked at several times with each message.
    let stage: Owned<Stage>

    init(_ settings: FrameSettings) {
        self.settings = settings
        stage = Owned(Stage())
    }

    /// When something will look different by itself; never: nothing moves.
    var nextFrame: Instant {
        @inline(__always) get { stage.value.due }
    }

    /// The client is to draw this there from now on; nil for nothing.
    func set(
        _ role: EdgeRole, _ indicator: (name: String, programme: StagedProgramme)?,
        state: EdgeState, pull: Double, at now: Instant
    ) {
        let new = indicator.map { EdgeIndicator(name: $0.name, programme: $0.programme) }
        switch role {
        case .refresh:
            refresh = new
            stage.value.refresh = played(role, new, state: state, pull: pull, at: now)
        case .loadMore:
            loadMore = new
            stage.value.loadMore = played(role, new, state: state, pull: pull, at: now)
        }
        stage.value.look(at: now)
    }

    /// Nil for a client that plays by itself.
    private func played(
        _ role: EdgeRole, _ indicator: EdgeIndicator?, state: EdgeState, pull: Double,
        at now: Instant
    ) -> Owned<PlayedIndicator>? {
        guard let programme = indicator?.programme, settings.mode == .stream else { return nil }
        let player = IndicatorPlayer(
            programme.choreography, role: role, motion: settings.motion, state: state, pull: pull,
            at: now.milliseconds)
        return Owned(PlayedIndicator(player, rate: min(programme.rate, settings.rate)))
    }

    subscript(role: EdgeRole) -> EdgeIndicator? {
        switch role {
        case .refresh: refresh
        case .loadMore: loadMore
        }
    }

    /// An edge shows something else.
    @inline(__always)
    func show(
        _ role: EdgeRole, _ state: EdgeState, pull: Double, result: LoadResult?, at now: Instant
    ) {
        stage.value.show(role, state, pull, result, at: now)
    }

    /// The list may be pulled farther than what is told of it: beyond the threshold. The engine is
    /// asked in place and not changed.
    @inline(__always)
    func followPull(_ engine: inout Engine, at now: Instant) {
        let state = engine.refresh.state
        switch state {
        case .pulling, .eligible:
            stage.value.show(.refresh, state, engine.pullInPlace(), nil, at: now)
        default: break
        }
    }

    /// Brings the looks to `now`.
    @inline(__always)
    func look(at now: Instant) { stage.value.look(at: now) }

    /// Whether the client is to be told how one looks.
    func hasNews() -> Bool { stage.value.hasNews() }

    /// Appends the frame of an edge behind another member, if the client was not told how it looks.
    func writeFrame(of role: EdgeRole, to out: inout ByteBuffer) {
        stage.value.writeFrame(of: role, behindMember: true, to: &out)
    }

    // MARK: Going on elsewhere

    /// All of them, without the programmes: those are found by their names.
    struct Memory: Hashable, Codable {
        var refresh: String?
        var loadMore: String?
        var stage: Stage.Memory
    }

    var memory: Memory {
        Memory(refresh: refresh?.name, loadMore: loadMore?.name, stage: stage.value.memory)
    }

    /// Those that `memory` is of; `programme` finds them. Nil if they cannot be of these
    /// programmes.
    init?(
        _ settings: FrameSettings, _ memory: Memory, programme: (String) -> StagedProgramme?
    ) {
        func played(
            _ indicator: EdgeIndicator?, _ memory: PlayedIndicator.Memory?
        ) -> Owned<PlayedIndicator>? {
            guard let programme = indicator?.programme, let memory else { return nil }
            let rate = min(programme.rate, settings.rate)
            guard let played = PlayedIndicator(programme.choreography, rate: rate, memory) else {
                return nil
            }
            return Owned(played)
        }
        self.settings = settings
        refresh = memory.refresh.flatMap { name in
            programme(name).map { EdgeIndicator(name: name, programme: $0) }
        }
        loadMore = memory.loadMore.flatMap { name in
            programme(name).map { EdgeIndicator(name: name, programme: $0) }
        }
        let first = played(refresh, memory.stage.refresh)
        let second = played(loadMore, memory.stage.loadMore)
        guard (first == nil) == (memory.stage.refresh == nil),
            (second == nil) == (memory.stage.loadMore == nil)
        else { return nil }
        stage = Owned(Stage(refresh: first, loadMore: second, due: memory.stage.due))
    }
}
