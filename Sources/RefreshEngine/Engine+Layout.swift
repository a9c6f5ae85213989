import RefreshProtocol

/// The wait for the client to lay out what was accepted: until then the list has its old end.
/// Source: docs/protocol.md, "Content".
extension Engine {
    /// Whether gestures at the end have to wait until the client has laid out the last content.
    func waitsForLayout(at now: Instant) -> Bool {
        options.loadMore?.rearm == .content && now < layoutEnd
    }

    /// The list is where it would ask, were its content laid out: when the wait is over without
    /// that, it does.
    mutating func waitForLayout(_ cause: Cause) {
        guard loadMore.isOpen else { return }
        // Short content is always at its end. A pull during the wait does not change that the
        // viewport is to be filled.
        let isFilling = deadlines.moreLoad != .never && moreCause == .fill
        if !isFilling || !geometry.isContentShort { moreCause = cause }
        deadlines.moreLoad = layoutEnd
    }

    mutating func endLayoutWait() {
        layoutEnd = .origin
        forgetArrival()
    }

    /// What came to the end while the content was not laid out asks for nothing there.
    mutating func forgetArrival() {
        if loadMore.load == nil { deadlines.moreLoad = .never }
    }

    /// The same of a list that has come to rest elsewhere. Content that is to be filled stays.
    @inline(never)
    mutating func forgetArrivalElsewhere() {
        guard moreCause != .fill, !isAtThreshold else { return }
        forgetArrival()
    }

    private var isAtThreshold: Bool {
        guard let options = options.loadMore, geometry.isMeasured else { return false }
        return offset >= threshold(options, preload: preload(options)) - Self.restingTolerance
    }

    /// The client has laid out content of another length. Longer content may be the page that it
    /// loads itself, before it reports the end of that load.
    mutating func noteLayout(isLonger: Bool) {
        if options.isClientBacked, loadMore.load != nil, isLonger { isLaidOutEarly = true }
        endLayoutWait()
        if options.loadMore?.rearm == .gesture { gesture.meetNewContent() }
    }

    /// The client has not laid out the last content in time: a list that has come to its end since
    /// asks there as it is, also one that has come to rest.
    mutating func layoutIsOverdue(at now: Instant, into effects: inout [Effect]) {
        endLayoutWait()
        guard !floor.hasTheList else { return }
        guard moreCause != .fill else { return fillViewport(at: now, into: &effects) }
        guard gesture.phase == .resting else {
            return evaluateApproach(isSample: true, at: now, into: &effects)
        }
        guard let options = options.loadMore, options.rearm == .content, loadMore.isOpen,
            !isMoreBlocked, !isEndOverlooked, moreStart != .never, now >= backOffEnd, isAtThreshold,
            let intent = moreCause.intent(isFingerDown: false),
            options.intents.allows(Intents(intent))
        else { return }
        applyToMore(.neared(progress: 1, .reaching(moreStart)), at: now, into: &effects)
    }
}
