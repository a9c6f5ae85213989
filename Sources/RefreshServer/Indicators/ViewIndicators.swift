import RefreshIndicator
import RefreshProtocol

/// The indicators of one view whose client draws programmes; a `plain` one has none.
///
/// For a `stream` client they are played here: by each sample while pulling, and by the loop's clock while
/// something moves by itself. A class, so that a view without them is no larger for it.
final class ViewIndicators {
    let settings: FrameSettings
    private(set) var refresh: EdgeIndicator?
    private(set) var loadMore: EdgeIndicator?
    /// When something will look different by itself; nil: nothing moves.
    private(set) var nextFrame: Instant?
    /// The frames to be written with the next update, each with its name; empty for none.
    let frames = FrameTexts()
    private var framedAt = Instant.origin

    init(_ settings: FrameSettings) {
        self.settings = settings
    }

    /// The client is to draw this there from now on; nil for nothing.
    func set(
        _ role: EdgeRole, _ indicator: (name: String, programme: StagedProgramme)?,
        state: EdgeState, at now: Instant
    ) {
        let new = indicator.map { name, programme in
            EdgeIndicator(
                name: name, programme: programme,
                played: settings.mode == .stream
                    ? PlayedIndicator(
                        IndicatorPlayer(
                            programme.choreography, role: role, motion: settings.motion,
                            state: state, at: now.milliseconds)) : nil)
        }
        switch role {
        case .refresh: refresh = new
        case .loadMore: loadMore = new
        }
        schedule(at: now)
    }

    subscript(role: EdgeRole) -> EdgeIndicator? {
        switch role {
        case .refresh: refresh
        case .loadMore: loadMore
        }
    }

    /// An edge shows something else.
    func show(
        _ role: EdgeRole, _ state: EdgeState, pull: Double, result: LoadResult?, at now: Instant
    ) {
        switch role {
        case .refresh: refresh?.played?.show(state, pull, result, at: now.milliseconds)
        case .loadMore: loadMore?.played?.show(state, pull, result, at: now.milliseconds)
        }
    }

    /// The list may be pulled farther than what is told of it: beyond the threshold.
    func followPull(_ state: EdgeState, _ pull: Double, at now: Instant) {
        guard state == .pulling || state == .eligible else { return }
        refresh?.played?.show(state, pull, nil, at: now.milliseconds)
    }

    /// Brings the looks to `now`.
    func look(at now: Instant) {
        let time = now.milliseconds
        refresh?.played?.look(at: time)
        loadMore?.played?.look(at: time)
        schedule(at: now)
    }

    /// Whether the client is to be told how one looks.
    func hasNews() -> Bool {
        refresh?.played?.hasNews() == true || loadMore?.played?.hasNews() == true
    }

    /// Appends to `frames` what the client was not told.
    func writeFrames() {
        frames.removeAll()
        refresh?.played?.writeFrame(to: &frames.refresh)
        loadMore?.played?.writeFrame(to: &frames.loadMore)
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

    /// When the next frame is due: at the least of the rates, and not before something happens.
    private func schedule(at now: Instant) {
        let time = now.milliseconds
        let change = min(
            refresh?.played?.nextChange(after: time) ?? .infinity,
            loadMore?.played?.nextChange(after: time) ?? .infinity)
        guard change < .infinity else {
            nextFrame = nil
            return
        }
        if framedAt.advanced(byMilliseconds: interval) <= now { framedAt = now }
        // Not before the moment has come, to the microsecond.
        let moment = Instant(milliseconds: change + 0.001)
        nextFrame = max(moment, framedAt.advanced(byMilliseconds: interval))
    }

    /// Milliseconds from frame to frame.
    private var interval: Double {
        1000
            / Double(
                min(
                    refresh?.programme.rate ?? settings.rate,
                    loadMore?.programme.rate ?? settings.rate, settings.rate))
    }
}
