import RefreshEngine
import RefreshProtocol
import Testing

/// Short forms of a client's input.
extension EngineTester {
    mutating func scroll(
        _ phase: ScrollPhase, _ offset: Double, cause: Cause = .finger, after delay: Double = 16,
        at location: SourceLocation = #_sourceLocation
    ) {
        send(
            .scrolled(ScrollSample(offset: offset, phase: phase, cause: cause)), after: delay,
            at: location)
    }

    mutating func pan(
        _ phase: ScrollPhase, _ translation: Double, velocity: Double = 0,
        from offset: Double? = nil,
        after delay: Double = 16, at location: SourceLocation = #_sourceLocation
    ) {
        send(
            .panned(
                PanSample(
                    translation: translation, phase: phase, velocity: velocity, offset: offset)),
            after: delay, at: location)
    }

    /// Lets time pass until no deadline is left. Drops the effects.
    mutating func comeToRest(at location: SourceLocation = #_sourceLocation) {
        while engine.nextDeadline != nil {
            passDeadline(at: location)
            skip()
        }
    }

    mutating func finish(
        _ load: UInt32, _ result: LoadResult, count: Int = 0, more: Bool? = nil,
        cursor: String? = nil, at location: SourceLocation = #_sourceLocation
    ) {
        send(
            .loadEnded(
                LoadID(generation: 1, number: load),
                LoadEnding(result, count: count, more: more, cursor: cursor)),
            at: location)
    }

    mutating func change(
        content: Double? = nil, viewport: Double? = nil, top: Double? = nil,
        bottom: Double? = nil, safeTop: Double? = nil, bars: Bars? = nil,
        after delay: Double = 16,
        at location: SourceLocation = #_sourceLocation
    ) {
        var change = GeometryChange()
        change.content = content.map { SizeChange(width: 390, height: $0) }
        change.viewport = viewport.map { SizeChange(width: 390, height: $0) }
        if top != nil || bottom != nil {
            change.insets = EdgeInsets(top: top ?? 0, bottom: bottom ?? 0)
        }
        change.safeArea = safeTop.map { EdgeInsets(top: $0) }
        change.bars = bars
        send(.geometryChanged(change), after: delay, at: location)
    }

    /// Pulls to `offset` with a finger and lifts it there. Drops the effects before the release.
    mutating func pullAndRelease(
        to offset: Double, at location: SourceLocation = #_sourceLocation
    ) {
        scroll(.began, engine.offset, at: location)
        skip()
        scroll(.dragging, offset, at: location)
        skip()
        scroll(.ended, offset, at: location)
    }

    /// Drags the list from its place to `offset` in one step. Drops the effects of the touch.
    mutating func drag(to offset: Double, at location: SourceLocation = #_sourceLocation) {
        scroll(.began, engine.offset, at: location)
        skip()
        scroll(.dragging, offset, at: location)
    }

    /// Loads the first page with load 1 and `count` items, ten by default. Drops the effects.
    mutating func loadFirstPage(
        count: Int = 10, cursor: String? = nil, at location: SourceLocation = #_sourceLocation
    ) {
        send(.refreshRequested(cause: .code, animated: false), at: location)
        skip()
        finish(1, .success, count: count, cursor: cursor, at: location)
        skip()
    }
}
