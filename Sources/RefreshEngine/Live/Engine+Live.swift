package import RefreshProtocol

/// Operations on items of the list that were applied. Source: docs/protocol.md, "Live items".
package struct AppliedOperations: Hashable, Sendable {
    /// By how much the number of the list's items has changed.
    package var countChange: Int
    /// By how many items the rest of the feed moves, beyond what was reported before.
    package var shift: Int
    /// Whether items were inserted or removed since the report.
    package var isStructural: Bool
    /// The number of arrivals that are held back now.
    package var heldCount: Int
    /// The load number of the message; nil if nothing is sent.
    package var load: UInt32?

    package init(
        countChange: Int, shift: Int, isStructural: Bool, heldCount: Int, load: UInt32?
    ) {
        self.countChange = countChange
        self.shift = shift
        self.isStructural = isStructural
        self.heldCount = heldCount
        self.load = load
    }

    /// Nothing was applied, and this number of arrivals is held back.
    package init(heldCount: Int) {
        self.init(
            countChange: 0, shift: 0, isStructural: false, heldCount: heldCount, load: nil)
    }
}

/// How a view takes operations on its items.
package struct OperationState: Hashable, Sendable {
    /// Whether the view reacts to operations.
    package var accepts: Bool
    /// Whether it reacts to those of the client's own user.
    package var acceptsOwn: Bool
    /// Whether operations may be applied now. They wait while a finger is down, while the list
    /// moves, and while a refresh or a reveal runs or waits.
    package var applies: Bool
    /// Whether a refresh runs.
    package var isRefreshing: Bool
    /// Whether the next page is being loaded.
    package var isLoadingMore: Bool
    /// Whether arrivals are held back.
    package var holdsArrivals: Bool
    /// Whether arrivals can be held back before the operations that wait are applied.
    package var mayHoldArrivals: Bool
    /// Whether the list begins with the first page of the feed.
    package var beginsAtFirstPage: Bool
    package var hasMore: Bool
    package var hasCursor: Bool
    package var isReversed: Bool
    /// The number of the next load of the view.
    package var nextLoadNumber: UInt32
}

/// Operations on the items of the list. The driver knows the items. The engine decides when the
/// operations are applied, and takes them into account in its paging.
extension Engine {
    /// How often the page of a load is requested again because the items before it have moved.
    private static let repeatsMax: UInt8 = 3

    /// How the view takes operations. Like what it uses, it is `mutating` only so that the engine
    /// is read in place.
    package var operationState: OperationState {
        mutating get {
            let acceptsOwn = acceptsOperations(areOwn: true)
            let arrivals = options.refresh?.arrivals
            return OperationState(
                accepts: acceptsOwn && reactsToChanges, acceptsOwn: acceptsOwn,
                applies: appliesOperations, isRefreshing: refreshLoad != nil,
                isLoadingMore: loadMore.load != nil, holdsArrivals: holds(arrivals),
                mayHoldArrivals: paging.skippedPages > 0 || arrivals != .insert,
                beginsAtFirstPage: paging.skippedPages == 0, hasMore: paging.hasMore,
                hasCursor: paging.options.style == .cursor,
                isReversed: options.layout.isReversed, nextLoadNumber: nextLoad.number)
        }
    }

    /// Whether the view reacts to operations. To those of the client's own user, it reacts whatever
    /// the option `changes` is, because the user must see what he has done.
    mutating func acceptsOperations(areOwn: Bool) -> Bool {
        guard paging.hasPage || refreshLoad != nil, acceptsReload else { return false }
        return areOwn || reactsToChanges
    }

    private var reactsToChanges: Bool {
        mutating get { (options.refresh?.changes ?? .ignore) != .ignore }
    }

    /// Whether the view holds arrivals back, with this value of its option.
    private mutating func holds(_ arrivals: ArrivalPolicy?) -> Bool {
        guard paging.skippedPages == 0 else { return true }
        switch arrivals {
        case .insert: return false
        case .stick: return unreadBox?.value.isAway ?? isNewestEndAway(wasAway: false)
        case .pill, nil: return true
        }
    }

    /// How often the page of a running load was requested again.
    package func repeatCount(of load: LoadID) -> Int {
        load == loadMore.load ? Int(loadMore.repeatCount) : 0
    }

    private var appliesOperations: Bool {
        mutating get {
            gesture.phase == .resting && isAtRest && !floor.ownsList && refreshLoad == nil
                && refresh.awaited == .none && refresh.phase != .waiting
                && unreadBox?.value.reveal == nil
        }
    }

    /// Whether the user does not move the list. The list may follow a command, as it does when a
    /// page arrives. No deadline marks the end of such a movement.
    private var isAtRest: Bool {
        switch motion {
        case .held, .flying: false
        case .gliding, nil: true
        }
    }

    /// Lets the driver apply the operations that wait, and show the arrivals that are held back, if
    /// both may happen now.
    mutating func considerOperations(into effects: inout [Effect]) {
        guard appliesOperations else { return }
        let releases = changes.heldCount > 0 && (changes.mustRelease || releasesArrivals)
        guard changes.hasOperations || releases else { return }
        changes.hasOperations = false
        changes.mustRelease = false
        effects.append(.showOperations(releases: releases))
    }

    /// Whether the arrivals that are held back are shown. The list must come back to its start
    /// before they are.
    private var releasesArrivals: Bool {
        guard paging.skippedPages == 0 else { return false }
        switch options.refresh?.arrivals {
        case .insert: return true
        case .stick: return !(unreadBox?.value.isAway ?? isNewestEndAway(wasAway: true))
        case .pill, nil: return false
        }
    }

    /// Records that operations wait which the driver could not apply, because the client does not
    /// read. `releases`: the arrivals that are held back will be shown with them.
    package mutating func deferOperations(releases: Bool = false) {
        changes.hasOperations = true
        if releases { changes.mustRelease = true }
    }

    /// Lets the engine consider the arrivals that are held back at the end of each event, if the
    /// movement of the list can release them.
    mutating func watchArrivals() {
        let arrivals = options.refresh?.arrivals ?? .pill
        changes.watchesArrivals = changes.heldCount > 0 && arrivals != .pill
    }

    /// Records that operations wait, and that the rest of the feed moves by them.
    package mutating func reportOperations(shift: Int, isStructural: Bool) {
        changes.hasOperations = true
        shiftPages(by: shift, isStructural: isStructural)
    }

    /// Records that the rest of the feed moves.
    mutating func shiftPages(by shift: Int, isStructural: Bool) {
        paging.move(by: shift)
        guard isStructural, loadMore.load != nil else { return }
        switch paging.options.style {
        case .page, .offset: loadMore.isShifted = true
        case .cursor, .none: break
        }
    }

    mutating func handleAppliedOperations(
        _ applied: AppliedOperations, into effects: inout [Effect]
    ) {
        if let load = applied.load { lastLoadNumber = load }
        shiftPages(by: applied.shift, isStructural: applied.isStructural)
        hold(applied.heldCount, into: &effects)
        guard applied.countChange != 0 else { return }
        paging.changeItemCount(by: applied.countChange)
        effects.append(.showList(count: paging.itemCount, hasMore: paging.hasMore))
    }

    /// Requests the page of a load again if items were inserted or removed since it was requested.
    /// Returns false if the answer is accepted.
    mutating func repeatsLoad(_ load: LoadID, at now: Instant, into effects: inout [Effect]) -> Bool
    {
        guard loadMore.isShifted else { return false }
        loadMore.isShifted = false
        guard loadMore.repeatCount < Self.repeatsMax else {
            handleFeedChange(.unknown, at: now, into: &effects)
            return false
        }
        loadMore.repeatCount += 1
        paging.applyShift()
        effects.append(.repeatLoad(order(load, .more)))
        return true
    }

    /// Replaces operations that wait, and arrivals that are held back, by a delayed change without
    /// operations.
    package mutating func replaceOperations() {
        guard changes.hasOperations || changes.heldCount > 0 else { return }
        changes.hasOperations = false
        changes.hold(0)
        delayChange(count: .unknown)
    }
}
