import RefreshProtocol

/// Where the list is on the way to its end, and whether that asks for the next page.
extension Engine {
    @inline(__always)
    mutating func evaluateApproach(
        isSample: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        switch loadMore {
        case .disabled, .waiting, .triggered, .loading, .noMore: return
        case .idle:
            // The usual case of a pull: nothing is seen at this edge, and nothing to be remembered.
            if !hasAskedForMore, !isMoreRenewed, !isApproachSeen { return }
        case .approaching, .eligible, .failed: break
        }
        if isEndOverlooked { return }
        lookAtEnd(isSample: isSample, at: now, into: &effects)
    }

    /// Whether the other edge has all the attention.
    var isEndOverlooked: Bool {
        options.attention == .movement && (refresh.isSeen || isFirstPageByPull)
    }

    /// Whether the first page of a feed is left to the user's pull: before anything was loaded and
    /// while a refresh loads it; where movement has the attention always, as in the originals.
    var isFirstPageByPull: Bool {
        !options.isClientBacked && !paging.hasPage && options.refresh?.isForUsers == true
            && (lastLoadNumber == 0 || refreshLoad != nil || options.attention == .movement)
    }

    private mutating func lookAtEnd(
        isSample: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.loadMore else { return }
        let threshold = threshold(options, preload: preload(options))
        let way = geometry.isMeasured ? way(to: threshold, options) : nil
        // By the time that is left the list may be near the end long before it is by distance.
        let early = options.leadTime == nil ? way : earlyWay(options, threshold)
        // One that has asked by its speed may be outside of the zone without having turned.
        let hasLeft = way == 0 && !gesture.movesTowardsEnd
        if hasLeft { hasAskedForMore = false }
        if early != 1, isMoreRenewed {
            isMoreRenewed = false
            gesture.hasFiredMore = false
        }
        // A failure stays until the list leaves the zone, whoever moves it or pulls elsewhere.
        if loadMore == .failed, !hasLeft {
            guard options.asksAgain, way == 1, isApproachSeen else { return }
            return askAgain(options, isSample: isSample, at: now, into: &effects)
        }
        var progress = isApproachSeen ? way ?? 0 : 0
        if progress == 0, loadMore == .idle, early != 1 { return }
        let approach = approach(options, isSample: isSample, at: now)
        if case .reaching(let start) = approach {
            moreCause = gesture.cause
            // Only distance is shown, so that slowing down never takes back what was.
            if early == 1, start != .never { progress = 1 }
        }
        if progress == 0, loadMore == .idle { return }
        applyToMore(.neared(progress: progress, approach), at: now, into: &effects)
    }

    /// The list is at the threshold of an edge that has failed: a gesture that might ask there, had
    /// it not, asks again.
    private mutating func askAgain(
        _ options: LoadMoreOptions, isSample: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        let approach = approach(options, isSample: isSample, at: now)
        switch approach {
        case .showing, .reaching(.never): return
        case .reaching: moreCause = gesture.cause
        case .arming: break
        }
        hasAskedForMore = false
        applyToMore(.rearmed, at: now, into: &effects)
        applyToMore(.neared(progress: 1, approach), at: now, into: &effects)
    }

    /// 0 outside of the zone before the end, 1 at the threshold, wherever the list came from.
    /// Exact.
    @inline(__always)
    private func way(to threshold: Double, _ options: LoadMoreOptions) -> Double {
        if offset >= threshold { return 1 }
        return min(max((offset - (threshold - options.length)) / options.length, 0), Self.belowOne)
    }

    /// The same to where the next page is asked for at the speed that the list has.
    private func earlyWay(_ options: LoadMoreOptions, _ threshold: Double) -> Double? {
        guard geometry.isMeasured, let leadTime = options.leadTime else { return nil }
        let early = self.threshold(options, preload: pace.way(leadTime: Double(leadTime)))
        return way(to: min(threshold, early), options)
    }

    @inline(__always)
    func threshold(_ options: LoadMoreOptions, preload: Double) -> Double {
        let end = geometry.endOffset - preload
        return options.mode == .user ? end + options.length : end
    }

    /// How far before the end the next page is asked for at any speed, points: by distance or by
    /// items that are left, the farther.
    @inline(__always)
    func preload(_ options: LoadMoreOptions) -> Double {
        guard options.preloadItems > 0, paging.itemCount > 0 else { return options.preload }
        let item = geometry.contentLength / Double(paging.itemCount)
        return max(options.preload, item * Double(options.preloadItems))
    }

    /// When a list in flight asks for the next page: where one that scrolls there would; nil if it
    /// does not.
    func instantOfAsking(in flight: Flight) -> Instant? {
        guard let options = options.loadMore, options.mode == .limit, geometry.isMeasured,
            gesture.isOpen, flight.velocity > 0
        else { return nil }
        let near = flight.instant(passing: geometry.endOffset - preload(options))
        guard let leadTime = options.leadTime else { return near }
        let soon = flight.instant(
            within: pace.latency + Double(leadTime), of: geometry.endOffset)
        guard let near, let soon else { return near ?? soon }
        return min(near, soon)
    }

    /// Pulling and refreshing come first (rule 6); a list at rest approaches nothing, nor does one
    /// that the program moves.
    private var isApproachSeen: Bool {
        !isMoreBlocked && gesture.phase != .resting && !gesture.cause.isProgram
    }

    /// Whether a pull or a refresh keeps gestures from asking for more. One that would wait for it,
    /// or end it, is not kept.
    var isMoreBlocked: Bool {
        switch refresh {
        case .disabled, .idle, .held, .finishing: return isEndKeptUnseen
        case .pulling, .eligible: return true
        case .waiting, .triggered:
            return options.loadMore?.whileRefreshing ?? .reject == .reject
        case .refreshing, .lingering: return isMoreKept
        }
    }

    /// The same of one that is not seen.
    var isEndKeptUnseen: Bool { changes.silentLoad != 0 && isMoreKept }

    /// Whether a refresh that runs keeps gestures from asking for more.
    private var isMoreKept: Bool {
        switch options.loadMore?.whileRefreshing {
        case .queue, .cancel: false
        case .reject, .concurrent, nil: true
        }
    }

    private mutating func approach(
        _ options: LoadMoreOptions, isSample: Bool, at now: Instant
    ) -> LoadMoreFact.Approach {
        guard mayAskForMore(at: now) else { return .showing }
        let approach = approach(options, isSample: isSample)
        guard approach != .showing, waitsForLayout(at: now) else { return approach }
        waitForLayout(gesture.cause)
        return .showing
    }

    /// The same by what moves the list alone.
    private func approach(
        _ options: LoadMoreOptions, isSample: Bool
    ) -> LoadMoreFact.Approach {
        if gesture.isFingerDown {
            switch options.trigger {
            case .release: return .arming
            case .reach: return isSample ? .reaching(moreStart) : .showing
            case .platform: return .showing
            }
        }
        // A fling that reaches the end asks (O-IQ-15); one that bounces beyond it is no intent to.
        return isSample && options.mode == .limit ? .reaching(moreStart) : .showing
    }

    /// The load-more gate, but for the position: an open gesture of someone who may, that moves
    /// towards the end, has not fired there, and content that was not asked about (rules 1 and 6).
    /// Whether the content is laid out, `waitsForLayout` says.
    func mayAskForMore(at now: Instant) -> Bool {
        guard gesture.isOpen, !gesture.hasFiredMore, !isMoreBlocked, !isFirstPageByPull,
            let options = options.loadMore, now >= backOffEnd
        else { return false }
        let asksAgain = loadMore == .failed && options.asksAgain
        if options.rearm == .content, hasAskedForMore, !asksAgain { return false }
        if options.needsApproach, !gesture.movesTowardsEnd, loadMore != .eligible { return false }
        let intent = gesture.cause.intent(isFingerDown: gesture.isFingerDown)
        guard let intent, options.intents.allows(Intents(intent)) else { return false }
        // Short content is always at its end: only a pull beyond it is an intent (O-IQ-11).
        return offset > geometry.restingOffset
            || threshold(options, preload: preload(options)) > geometry.restingOffset
    }
}
