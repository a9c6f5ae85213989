import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Operations on the items of a list, in place of a refresh. Source: docs/protocol.md, "Live
/// items".
extension Conversation {
    /// Takes the operations of a change for a view. Returns nil if it has taken them. If not, the
    /// change counts as one without operations for the view. The result is then the number of
    /// arrivals that were discarded. `areOwn`: the user of the client has made the change.
    mutating func takeOperations(
        of items: [ItemChange]?, areOwn: Bool = false, toViewAt index: Int, at now: Instant
    ) -> Int? {
        guard let items, !items.isEmpty, inbound.features?.uses(.live) == true,
            let feed = views[index].feed, canCompare(feed),
            case let state = views[index].engine.operationState,
            areOwn ? state.acceptsOwn : state.accepts
        else { return 0 }
        let reported = services.operations.operations(
            of: items, parameters: feed.parameters, subject: principal.subject, areOwn: areOwn)
        if !reported.effect.isEmpty {
            updateVerification(ofViewAt: index) { $0.recordOperations(reported.effect, at: now) }
        }
        if !reported.operations.isEmpty,
            let discarded = keep(reported, state, of: feed, ofViewAt: index, at: now)
        {
            return discarded
        }
        return reported.isWhole ? nil : 0
    }

    /// Ends the count of the arrivals that `takeOperations` has discarded. They were counted with
    /// the change.
    mutating func endHeldCount(ofViewAt index: Int, at now: Instant) {
        let live = views[index].feed?.live?.value
        applyEvent(
            .operationsApplied(AppliedOperations(heldCount: live?.held.count ?? 0)),
            toViewAt: index, because: .feed, at: now)
    }

    /// Whether the items of the view's list have the keys that the client was informed of.
    private func canCompare(_ feed: FeedUse) -> Bool {
        feed.hasKeys(at: services.itemKeyText(ofView: feed.name))
    }

    /// Lets operations wait, or applies them at once. Returns nil if this is possible. If not,
    /// returns the number of arrivals that were discarded.
    private mutating func keep(
        _ reported: ReportedOperations, _ state: OperationState, of feed: FeedUse,
        ofViewAt index: Int, at now: Instant
    ) -> Int? {
        if feed.live == nil, state.applies, reported.areWithinBounds, outbox.isEmpty, acceptsOutput
        {
            // Most operations find nothing that waits.
            guard let list = feed.list.value.sentList?.list, feed.hasShown(list),
                let applied = services.operations.edit(
                    list, by: reported.operations, held: [],
                    rules(state, holdsArrivals: state.holdsArrivals))
            else { return 0 }
            if applied.hasRest { keepRest(of: LiveItems(), after: applied, feed) }
            send(applied, afterDigest: list.digest, state, of: feed, toViewAt: index, at: now)
            return nil
        }
        let operations = reported.operations
        var live = feed.live?.value ?? LiveItems()
        let discarded = live.insertCount
        // The array of the cache is shared.
        if live.waiting.isEmpty { live.waiting = operations } else { live.waiting += operations }
        guard live.isWithinBounds else {
            keepOperationsOfAuthor(live, ofViewAt: index)
            return discarded
        }
        let appliesNow = state.applies && acceptsOutput
        guard !state.isRefreshing else {
            feed.live = Boxed(live)
            applyEvent(
                .operationsReported(shift: 0, isStructural: false), toViewAt: index,
                because: .feed, at: now)
            return nil
        }
        let holds = appliesNow ? state.holdsArrivals : state.mayHoldArrivals
        guard let list = listAfterQueue(ofViewAt: index),
            let applied = apply(live, to: list, state, of: feed, holdsArrivals: holds)
        else { return 0 }
        if appliesNow {
            keepRest(of: live, after: applied, feed)
            send(
                applied, afterDigest: list.digest, state, reportedShift: live.reportedShift,
                of: feed, toViewAt: index, at: now)
            return nil
        }
        verifyIfCursorIsLost(applied, ofViewAt: index, at: now)
        let edit = applied.edit
        let shift = edit.shift - live.reportedShift
        live.reportedShift = edit.shift
        live.edit = edit
        feed.live = Boxed(live)
        services.onGrowth?(live.heldBytes, key, now)
        applyEvent(
            .operationsReported(shift: shift, isStructural: edit.isStructural), toViewAt: index,
            because: .feed, at: now)
        return nil
    }

    /// Discards the operations of other users that wait, and the arrivals that are held back. The
    /// operations of the client's own user still wait, if they can be applied alone.
    private mutating func keepOperationsOfAuthor(_ live: LiveItems, ofViewAt index: Int) {
        guard let feed = views[index].feed else { return }
        var own = live.ofAuthor
        feed.live = nil
        guard !own.waiting.isEmpty else { return }
        let state = views[index].engine.operationState
        if !state.isRefreshing {
            guard let list = listAfterQueue(ofViewAt: index),
                let applied = apply(
                    own, to: list, state, of: feed, holdsArrivals: state.mayHoldArrivals)
            else { return }
            own.edit = applied.edit
            // The engine knows this shift: it was reported with the discarded operations.
            own.reportedShift = applied.edit.shift
        }
        feed.live = Boxed(own)
        views[index].engine.deferOperations()
    }

    /// Whether the client reads what is sent.
    private var acceptsOutput: Bool { phase.isOpen && channel.isWritable }

    /// Returns what the waiting operations make of the list; nil if they cannot be applied.
    func apply(
        _ live: LiveItems, to list: HashedItems, _ state: OperationState, of feed: FeedUse,
        holdsArrivals: Bool
    ) -> AppliedEdit? {
        guard feed.hasShown(list), !live.isUnresolved else { return nil }
        let rules = rules(state, holdsArrivals: holdsArrivals)
        if var edit = live.edit, edit.clientCount == list.count {
            let new = live.waiting.dropFirst(edit.operationCount)
            return edit.apply(Array(new), by: rules) ? AppliedEdit(edit, of: list) : nil
        }
        guard live.removedByAuthor.isEmpty else {
            return ListEdit.applying(
                live.waiting, to: list, held: live.held, removedByAuthor: live.removedByAuthor,
                by: rules
            ).map { AppliedEdit($0, of: list) }
        }
        return services.operations.edit(list, by: live.waiting, held: live.held, rules)
    }

    mutating func verifyIfCursorIsLost(
        _ applied: AppliedEdit, ofViewAt index: Int, at now: Instant
    ) {
        if applied.losesCursor { updateVerification(ofViewAt: index) { $0.schedule(at: now) } }
    }

    private func rules(_ state: OperationState, holdsArrivals: Bool) -> ListEdit.Rules {
        ListEdit.Rules(
            holdsArrivals: holdsArrivals, isReversed: state.isReversed,
            beginsAtFirstPage: state.beginsAtFirstPage, hasMore: state.hasMore,
            isLoadingMore: state.isLoadingMore, hasCursor: state.hasCursor,
            itemsMax: services.limits.itemKeysPerViewMax)
    }

    /// The list that the client shows after the messages in the queue; nil if it is not known.
    func listAfterQueue(ofViewAt index: Int) -> HashedItems? {
        guard var list = views[index].feed?.sentList else { return nil }
        let generation = views[index].generation
        for message in outbox.messages where message.concernsView(generation) {
            switch message {
            case .items(_, _, let head, let page, let deduplicated):
                _ = list.record(
                    deduplicated == nil ? nil : page.itemKeys?.list,
                    kept: deduplicated?.hashes ?? [], ServerText.change(ofHead: head),
                    most: services.limits.itemKeysPerViewMax)
            case .operations(_, _, _, let after): list.replace(by: after)
            case .update, .text, .passing, .began, .snapshot, .progress: break
            }
        }
        return list.list
    }

    // MARK: Applying

    /// Applies the operations that wait. `releases`: the arrivals that are held back are shown.
    @inline(never)
    mutating func showOperations(releases: Bool, ofViewAt index: Int, at now: Instant) {
        // The effects of the event that is being handled are continued afterwards.
        let outer = effects
        effects = []
        defer { effects = outer }
        let feed = views[index].feed
        guard feed?.live?.value.isEmpty == false || feed?.edits?.value.ready.isEmpty == false else {
            return
        }
        guard acceptsOutput else {
            views[index].engine.deferOperations(releases: releases)
            if phase.isOpen { channel.requestWritable() }
            return
        }
        defer {
            // The answer to an edit follows its operation.
            if feed?.live?.value.waiting.contains(where: \.isOwn) != true {
                sendAnswers(ofViewAt: index)
            }
        }
        guard let feed, let live = feed.live?.value, !live.isEmpty else { return }
        let state = views[index].engine.operationState
        if let list = listAfterQueue(ofViewAt: index),
            let applied = apply(
                live, to: list, state, of: feed, holdsArrivals: state.holdsArrivals && !releases)
        {
            keepRest(of: live, after: applied, feed)
            return send(
                applied, afterDigest: list.digest, state, reportedShift: live.reportedShift,
                of: feed, toViewAt: index, at: now)
        }
        keepOperationsOfAuthor(live, ofViewAt: index)
        applyEvent(
            .feedChanged(count: NewerCount(live.insertCount)), toViewAt: index, because: .feed,
            at: now)
        endHeldCount(ofViewAt: index, at: now)
    }

    /// Keeps what still waits of `live`, and the arrivals that are held back.
    private func keepRest(of live: LiveItems, after applied: AppliedEdit, _ feed: FeedUse) {
        var rest = live
        rest.held = applied.edit.held
        rest.waiting = applied.edit.later
        rest.edit = nil
        rest.removedByAuthor = applied.edit.removedByAuthor
        rest.reportedShift = 0
        feed.live = rest.isEmpty ? nil : Boxed(rest)
    }

    /// Sends what operations make of the list with the digest `base`. `reportedShift`: the shift of
    /// which the engine knows.
    private mutating func send(
        _ applied: AppliedEdit, afterDigest base: UInt64, _ state: OperationState,
        reportedShift: Int = 0, of feed: FeedUse, toViewAt index: Int, at now: Instant
    ) {
        verifyIfCursorIsLost(applied, ofViewAt: index, at: now)
        let list = applied.list
        var event = applied.event
        event.countChange = list.count - feed.shownItems.hashes.count
        event.shift -= reportedShift
        if applied.hasMessage {
            let number = state.nextLoadNumber
            event.load = number
            let load = LoadID(generation: views[index].generation, number: number)
            feed.shownItems.replaceAll(by: list.keys)
            let text = applied.text(load, ofView: views[index].id)
            enqueueUpdate(ofViewAt: index)
            // The client accepts output, so only a frame with a snapshot or first items can wait.
            if snapshotPolicy.isEnabled || outbox.holdsSnapshot || outbox.firstItemsDue != nil {
                services.onGrowth?(2 * text.count, key, now)
            }
            outbox.append(.operations(load, text, base: base, list: list))
        }
        applyEvent(.operationsApplied(event), toViewAt: index, because: .feed, at: now)
    }

    /// Discards the operations that wait, and the arrivals that are held back.
    mutating func discardOperations(ofViewAt index: Int, at now: Instant) {
        guard views[index].feed?.live != nil else { return }
        views[index].feed?.live = nil
        endHeldCount(ofViewAt: index, at: now)
    }
}

extension ServerText {
    /// The message `items` with this end, which `endOfItems` has returned.
    static func items(_ load: LoadID, endingWith end: [UInt8], view: ViewID) -> [UInt8] {
        var out = ByteBuffer(capacity: 96 + end.count)
        out.append(literal: #"{"type":"items","view":"#)
        out.appendQuoted(view)
        out.appendMember("load", load)
        out.append(end)
        return out.bytes
    }

    /// The end of the message `items` with operations on the items of a list.
    static func endOfItems(_ operations: [ItemOperation], count: Int, hasMore: Bool) -> [UInt8] {
        var out = ByteBuffer(capacity: 256)
        out.appendMember("mode", "patch")
        out.appendMember("count", count)
        out.appendMember("more", hasMore)
        out.beginMember("operations")
        out.append(0x5B as UInt8)
        for (position, operation) in operations.enumerated() {
            if position > 0 { out.append(0x2C as UInt8) }
            operation.append(to: &out)
        }
        out.append(literal: "]}")
        return out.bytes
    }
}
