import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Operations on the items of a list, in place of a refresh. Source: docs/protocol.md, "Live
/// items".
extension Conversation {
    /// Whether the change concerns the session. It does not if it states only what has changed in
    /// the lists of other subjects.
    func isConcerned(by items: [ItemChange]?) -> Bool {
        guard let items, !items.isEmpty else { return true }
        return items.contains { $0.concerns(principal.subject) }
    }

    /// Takes the operations of a change for a view. Returns false if the change counts as one
    /// without operations for the view. `areOwn`: the user of the client has made the change.
    mutating func takeOperations(
        of items: [ItemChange]?, areOwn: Bool = false, toViewAt index: Int, at now: Instant
    ) -> Bool {
        guard let items, !items.isEmpty, inbound.features?.uses(.live) == true,
            let feed = views[index].feed, canCompare(feed),
            case let state = views[index].engine.operationState, state.accepts
        else { return false }
        let reported = services.operations.operations(
            of: items, parameters: feed.parameters, subject: principal.subject, areOwn: areOwn)
        guard
            reported.operations.isEmpty
                || keep(reported.operations, state, ofViewAt: index, at: now)
        else { return false }
        return reported.isWhole
    }

    /// Whether the items of the view's list have the keys that the client was informed of.
    private func canCompare(_ feed: FeedUse) -> Bool {
        guard let list = feed.sentList else { return false }
        return services.itemKeyText(ofView: feed.name).hasBytes(of: list.itemKey)
    }

    /// Lets operations wait, or applies them at once. Returns false if this is not possible.
    private mutating func keep(
        _ operations: [ReportedOperation], _ state: OperationState, ofViewAt index: Int,
        at now: Instant
    ) -> Bool {
        guard let feed = views[index].feed else { return false }
        var live = feed.live?.value ?? LiveItems()
        // The array of the cache is shared.
        if live.waiting.isEmpty { live.waiting = operations } else { live.waiting += operations }
        guard live.isWithinBounds else {
            discardOperations(ofViewAt: index, at: now)
            return false
        }
        guard !state.refreshes else {
            feed.live = Boxed(live)
            applyEvent(
                .operationsReported(shift: 0, isStructural: false), toViewAt: index,
                because: .feed, at: now)
            return true
        }
        guard let list = listAfterQueue(ofViewAt: index),
            let applied = apply(live, to: list, state, of: feed, releases: false)
        else { return false }
        if acceptsOutput, state.applies {
            send(applied, live, after: list, state, toViewAt: index, at: now)
            return true
        }
        let edit = applied.edit
        let shift = edit.shift - live.reportedShift
        live.reportedShift = edit.shift
        feed.live = Boxed(live)
        services.onGrowth?(live.heldBytes, key, now)
        applyEvent(
            .operationsReported(shift: shift, isStructural: edit.isStructural), toViewAt: index,
            because: .feed, at: now)
        return true
    }

    /// Whether the client reads what is sent.
    private var acceptsOutput: Bool { phase.isOpen && channel.isWritable }

    /// Returns what the operations make of the list; nil if they cannot be applied.
    private func apply(
        _ live: LiveItems, to list: HashedItems, _ state: OperationState, of feed: FeedUse,
        releases: Bool
    ) -> AppliedEdit? {
        guard feed.shownItems.foreignHash == nil, list.count == feed.shownItems.hashes.count else {
            return nil
        }
        let rules = ListEdit.Rules(
            holdsArrivals: state.holdsArrivals && !releases, isReversed: state.isReversed,
            beginsAtFirstPage: state.beginsAtFirstPage, hasMore: state.hasMore,
            itemsMax: services.limits.itemKeysPerViewMax)
        return services.operations.edit(list, by: live.waiting, held: live.held, rules)
    }

    /// The list that the client shows after the messages in the queue; nil if it is not known.
    private func listAfterQueue(ofViewAt index: Int) -> HashedItems? {
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
            views[index].engine.deferOperations()
            if phase.isOpen { channel.requestWritable() }
            return
        }
        defer { sendAnswers(ofViewAt: index) }
        guard let feed, let live = feed.live?.value, !live.isEmpty else { return }
        let state = views[index].engine.operationState
        guard let list = listAfterQueue(ofViewAt: index),
            let applied = apply(live, to: list, state, of: feed, releases: releases)
        else {
            discardOperations(ofViewAt: index, at: now)
            return applyEvent(
                .feedChanged(count: NewerCount(live.insertCount)), toViewAt: index, because: .feed,
                at: now)
        }
        send(applied, live, after: list, state, toViewAt: index, at: now)
    }

    /// Sends what the operations make of the list `old`.
    private mutating func send(
        _ applied: AppliedEdit, _ live: LiveItems, after old: HashedItems,
        _ state: OperationState, toViewAt index: Int, at now: Instant
    ) {
        guard let feed = views[index].feed else { return }
        let edit = applied.edit
        let reported = live.reportedShift
        var live = live
        live.held = edit.held
        live.waiting = []
        live.reportedShift = 0
        feed.live = live.isEmpty ? nil : Boxed(live)
        let (before, list) = (feed.shownItems.hashes.count, applied.list)
        let number = edit.sent.isEmpty ? nil : state.nextLoadNumber
        if let number {
            let load = LoadID(generation: views[index].generation, number: number)
            feed.shownItems.replaceAll(by: list.keys)
            let text = ServerText.items(load, endingWith: applied.messageEnd, view: views[index].id)
            enqueueUpdate(ofViewAt: index)
            outbox.append(.operations(load, text, base: old.digest, list: list))
            services.onGrowth?(2 * text.count, key, now)
        }
        applyEvent(
            .operationsApplied(
                AppliedOperations(
                    countChange: list.count - before, shift: edit.shift - reported,
                    isStructural: edit.isStructural && reported == 0, heldCount: edit.held.count,
                    load: number)),
            toViewAt: index, because: .feed, at: now)
    }

    /// Discards the operations that wait, and the arrivals that are held back.
    mutating func discardOperations(ofViewAt index: Int, at now: Instant) {
        guard views[index].feed?.live != nil else { return }
        views[index].feed?.live = nil
        applyEvent(
            .operationsApplied(
                AppliedOperations(
                    countChange: 0, shift: 0, isStructural: false, heldCount: 0, load: nil)),
            toViewAt: index, because: .feed, at: now)
    }

    // MARK: Loads and connections

    /// Records that a refresh begins. It delivers the operations that were reported before.
    func coverOperations(ofViewAt index: Int) {
        guard var live = views[index].feed?.live?.value else { return }
        live.coveredCount = live.waiting.count
        views[index].feed?.live = Boxed(live)
    }

    /// Records that a refresh has ended.
    func uncoverOperations(ofViewAt index: Int, _ result: LoadResult) {
        guard var live = views[index].feed?.live?.value else { return }
        if result.isAccepted { live.removeCovered() }
        live.coveredCount = 0
        views[index].feed?.live = live.isEmpty ? nil : Boxed(live)
    }

    /// Applies the operations that have waited for a client that reads again.
    mutating func resumeOperations(at now: Instant) {
        for index in views.indices
        where views[index].feed?.live != nil
            || views[index].feed?.edits?.value.ready.isEmpty == false
        {
            applyEvent(
                .operationsReported(shift: 0, isStructural: false), toViewAt: index,
                because: .time, at: now)
        }
    }

    /// Replaces operations by a change without operations if the client that has resumed does not
    /// use the feature.
    mutating func adaptOperations(ofViewAt index: Int, at now: Instant) {
        guard inbound.features?.uses(.live) != true else { return }
        let isQueued = outbox.removeOperations(of: views[index].generation)
        guard isQueued || views[index].feed?.live != nil else { return }
        views[index].feed?.sentList?.forget()
        discardOperations(ofViewAt: index, at: now)
        applyEvent(.feedChanged(), toViewAt: index, because: .feed, at: now)
    }
}

extension ServerText {
    /// The message `items` with this end, which `endOfItems` has returned.
    static func items(_ load: LoadID, endingWith end: [UInt8], view: ViewID) -> [UInt8] {
        var out = ByteBuffer(capacity: 64 + end.count)
        out.append(literal: #"{"type":"items""#)
        out.appendMember("view", view)
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
