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
        return items.contains { isConcerned(by: $0) }
    }

    private func isConcerned(by change: ItemChange) -> Bool {
        guard let subject = change.subject else { return true }
        return principal.subject?.hasBytes(of: subject) == true
    }

    /// Takes the operations of a change for a view. Returns false if the change counts as one
    /// without operations for the view. `areOwn`: the user of the client has made the change.
    mutating func takeOperations(
        of items: [ItemChange]?, areOwn: Bool = false, toViewAt index: Int, at now: Instant
    ) -> Bool {
        guard let items, !items.isEmpty, inbound.features?.uses(.live) == true,
            let feed = views[index].feed, views[index].engine.acceptsOperations,
            canCompare(ofViewAt: index)
        else { return false }
        var operations: [ReportedOperation] = []
        var isDescribed = true
        let own = feed.parameters.sorted { $0.name < $1.name }
        for change in items where isConcerned(by: change) {
            let isOther = change.parameters != own
            for operation in change.operations {
                guard !isOther || operation.kind == .update || operation.kind == .remove else {
                    isDescribed = false
                    continue
                }
                operations.append(
                    ReportedOperation(
                        operation: operation, isOfOtherQuery: isOther, isOwn: areOwn))
            }
        }
        guard operations.isEmpty || keep(operations, ofViewAt: index, at: now) else {
            return false
        }
        return isDescribed
    }

    /// Whether the items of the view's list have the keys that the client was informed of.
    private func canCompare(ofViewAt index: Int) -> Bool {
        guard let feed = views[index].feed, let list = feed.sentList else { return false }
        let pointer = services.feed(ofView: feed.name)?.itemKey
        return (pointer?.text).hasBytes(of: list.itemKey)
    }

    /// Lets operations wait, or applies them at once. Returns false if this is not possible.
    private mutating func keep(
        _ operations: [ReportedOperation], ofViewAt index: Int, at now: Instant
    ) -> Bool {
        guard let feed = views[index].feed else { return false }
        var live = feed.live?.value ?? LiveItems()
        live.waiting += operations
        guard live.isWithinBounds else {
            discardOperations(ofViewAt: index, at: now)
            return false
        }
        guard views[index].engine.refreshLoad == nil else {
            feed.live = Boxed(live)
            applyEvent(
                .operationsReported(shift: 0, isStructural: false), toViewAt: index,
                because: .feed, at: now)
            return true
        }
        guard let edit = edit(live, ofViewAt: index, releases: false) else { return false }
        if acceptsOutput, views[index].engine.appliesOperations {
            apply(edit, live, toViewAt: index, at: now)
            return true
        }
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
    private func edit(
        _ live: LiveItems, ofViewAt index: Int, releases: Bool
    ) -> ListEdit? {
        let engine = views[index].engine
        guard let feed = views[index].feed, feed.shownItems.foreignHash == nil,
            let list = listAfterQueue(ofViewAt: index),
            list.count == feed.shownItems.hashes.count
        else { return nil }
        let rules = ListEdit.Rules(
            holdsArrivals: engine.holdsArrivals && !releases,
            isReversed: engine.options.layout.isReversed,
            beginsAtFirstPage: engine.beginsAtFirstPage, hasMore: engine.paging.hasMore,
            itemsMax: services.limits.itemKeysPerViewMax)
        return ListEdit.applying(live.waiting, to: list, held: live.held, by: rules)
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
        guard let live = feed?.live?.value, !live.isEmpty else { return }
        guard let edit = edit(live, ofViewAt: index, releases: releases) else {
            discardOperations(ofViewAt: index, at: now)
            return applyEvent(
                .feedChanged(count: NewerCount(live.insertCount)), toViewAt: index, because: .feed,
                at: now)
        }
        apply(edit, live, toViewAt: index, at: now)
    }

    private mutating func apply(
        _ edit: ListEdit, _ live: LiveItems, toViewAt index: Int, at now: Instant
    ) {
        guard let feed = views[index].feed else { return }
        let reported = live.reportedShift
        var live = live
        live.held = edit.held
        live.waiting = []
        live.reportedShift = 0
        feed.live = live.isEmpty ? nil : Boxed(live)
        let (before, list) = (feed.shownItems.hashes.count, edit.list)
        let number = edit.sent.isEmpty ? nil : views[index].engine.nextLoadNumber
        if let number {
            let load = LoadID(generation: views[index].generation, number: number)
            let base = listAfterQueue(ofViewAt: index)?.digest ?? 0
            feed.shownItems.replaceAll(by: list.keys)
            let text = ServerText.operations(
                edit.sent, load, count: list.count, hasMore: views[index].engine.paging.hasMore,
                view: views[index].id)
            enqueueUpdate(ofViewAt: index)
            outbox.append(.operations(load, text, base: base, list: list))
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
    /// The message with operations on the items of a list.
    static func operations(
        _ operations: [ItemOperation], _ load: LoadID, count: Int, hasMore: Bool, view: ViewID
    ) -> [UInt8] {
        object(type: "items") { out in
            out.appendMember("view", view)
            out.appendMember("load", load)
            out.appendMember("mode", "patch")
            out.appendMember("count", count)
            out.appendMember("more", hasMore)
            out.beginMember("operations")
            out.append(0x5B as UInt8)
            for (position, operation) in operations.enumerated() {
                if position > 0 { out.append(0x2C as UInt8) }
                operation.append(to: &out)
            }
            out.append(0x5D as UInt8)
        }
    }
}
