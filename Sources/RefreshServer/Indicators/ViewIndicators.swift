import RefreshIndicator
import RefreshProtocol

/// The indicators of one view whose client draws programmes; a `plain` one has none.
///
/// For a `stream` client they are played here: by each sample while pulling, and by the loop's clock while
/// something moves by itself. A class, so that a view without them is no larger for it.
final class ViewIndicators {
    let settings: FrameSettings
    /// The frames to be written with the next update, each with its name; empty for none.
    let frames = FrameTexts()
    /// Looked at several times with each message.
    private let stage: Owned<Stage>

    init(_ settings: FrameSettings) {
        self.settings = settings
        stage = Owned(Stage())
    }

    /// When something will look different by itself; nil: nothing moves.
    var nextFrame: Instant? { stage.value.nextFrame }

    /// The client is to draw this there from now on; nil for nothing.
    func set(
        _ role: EdgeRole, _ indicator: (name: String, programme: StagedProgramme)?,
        state: EdgeState, pull: Double, at now: Instant
    ) {
        let new = indicator.map { name, programme in
            EdgeIndicator(
                name: name, programme: programme,
                played: settings.mode == .stream
                    ? PlayedIndicator(
                        IndicatorPlayer(
                            programme.choreography, role: role, motion: settings.motion,
                            state: state, pull: pull, at: now.milliseconds),
                        rate: min(programme.rate, settings.rate)) : nil)
        }
        switch role {
        case .refresh: stage.value.refresh = new
        case .loadMore: stage.value.loadMore = new
        }
        stage.value.look(at: now)
    }

    subscript(role: EdgeRole) -> EdgeIndicator? {
        switch role {
        case .refresh: stage.value.refresh
        case .loadMore: stage.value.loadMore
        }
    }

    /// An edge shows something else.
    func show(
        _ role: EdgeRole, _ state: EdgeState, pull: Double, result: LoadResult?, at now: Instant
    ) {
        stage.value.show(role, state, pull, result, at: now)
    }

    /// The list may be pulled farther than what is told of it: beyond the threshold.
    func followPull(_ state: EdgeState, _ pull: Double, at now: Instant) {
        guard state == .pulling || state == .eligible else { return }
        stage.value.show(.refresh, state, pull, nil, at: now)
    }

    /// Brings the looks to `now`.
    func look(at now: Instant) { stage.value.look(at: now) }

    /// Whether the client is to be told how one looks.
    func hasNews() -> Bool { stage.value.hasNews() }

    /// Appends to `frames` what the client was not told.
    func writeFrames() {
        frames.removeAll()
        stage.value.refresh?.played?.writeFrame(to: &frames.refresh)
        stage.value.loadMore?.played?.writeFrame(to: &frames.loadMore)
    }

    /// Appends the frame that was written for an edge, if there is one, behind another member.
    func appendFrame(of role: EdgeRole, to out: inout ByteBuffer) {
        switch role {
        case .refresh: Self.append(&frames.refresh, to: &out)
        case .loadMore: Self.append(&frames.loadMore, to: &out)
        }
    }

    private static func append(_ frame: inout ByteBuffer, to out: inout ByteBuffer) {
        guard frame.count > 0 else { return }
        out.append(0x2C as UInt8)
        out.append(&frame)
    }
}
