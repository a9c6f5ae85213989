import RefreshProtocol

/// The wait for the client to lay out accepted content. Until the client has laid out the content,
/// the list still has its old end. Source: docs/protocol.md, "Content".
extension Engine {
    /// Whether gestures at the end must wait until the client has laid out the last content.
    func waitsForLayout(at now: Instant) -> Bool {
        options.loadMore?.rearm == .content && now < loadMore.layoutEnd
    }

    /// Whether a request waits until the client has laid out the last content.
    @inline(__always)
    var isRequestDeferred: Bool {
        deadlines.loadMoreWait != .never && loadMore.load == nil && !hasRandomAccess
    }

    /// Defers a request for the next page until the client has laid out the last content. If the
    /// client does not lay it out in time, the list requests the page.
    mutating func deferRequestUntilLayout(_ cause: Cause) {
        guard loadMore.phase.acceptsRequests else { return }
        // A list with short content is always at its end. If a request to fill the viewport waits,
        // a pull does not replace it.
        let isFilling = isRequestDeferred && loadMore.request.cause == .fill
        if !isFilling || !geometry.isContentShort { loadMore.request.cause = cause }
        deadlines.loadMoreWait = loadMore.layoutEnd
    }

    mutating func endLayoutWait() {
        loadMore.layoutEnd = .origin
        cancelDeferredRequest()
    }

    /// Cancels the request of a list that reached its end while the content was not laid out.
    mutating func cancelDeferredRequest() {
        if isRequestDeferred { deadlines.loadMoreWait = .never }
    }

    /// Cancels a deferred request if the list has come to rest where it does not reach the
    /// load-more threshold. A request to fill the viewport is kept.
    @inline(never)
    mutating func cancelDeferredRequestIfElsewhere() {
        guard isRequestDeferred, loadMore.request.cause != .fill, !isAtThreshold else { return }
        cancelDeferredRequest()
    }

    private var isAtThreshold: Bool {
        guard let options = options.loadMore, geometry.isMeasured else { return false }
        return offset >= preloadThreshold(options) - Self.restingTolerance
    }

    /// Records that the client has laid out content of another length. If the client itself loads a
    /// page, longer content may already contain the page before the client reports the end of the
    /// load.
    mutating func handleContentLengthChange(isLonger: Bool) {
        if options.isClientBacked, loadMore.load != nil, isLonger { loadMore.isLaidOutEarly = true }
        endLayoutWait()
        if options.loadMore?.rearm == .gesture { gesture.handleNewContent() }
    }

    /// Handles a client that has not laid out the last content in time. If the list reached its end
    /// during the wait, it requests the next page, even if it has come to rest.
    mutating func handleLayoutTimeout(at now: Instant, into effects: inout [Effect]) {
        endLayoutWait()
        guard !floor.ownsList, revealLayoutEnd == nil else { return }
        guard loadMore.request.cause != .fill else { return fillViewport(at: now, into: &effects) }
        guard gesture.phase == .resting else {
            return evaluateApproach(isSample: true, at: now, into: &effects)
        }
        guard let options = options.loadMore, options.rearm == .content,
            loadMore.phase.acceptsRequests,
            !isLoadMoreBlocked, !isEndEvaluationSkipped, loadMoreStart != .never,
            now >= loadMore.backOffEnd,
            isAtThreshold,
            let intent = loadMore.request.cause.intent(isFingerDown: false),
            options.intents.allows(Intents(intent))
        else { return }
        applyToLoadMore(.approached(progress: 1, .reaching(loadMoreStart)), at: now, into: &effects)
    }
}
