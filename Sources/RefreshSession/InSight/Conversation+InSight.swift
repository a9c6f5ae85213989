import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Views with random access: the client reports the rows in sight, and receives the pages of these
/// rows. Source: docs/protocol.md, "What is in sight".
extension Conversation {
    /// Handles a message that also reports the rows in sight. If the message is rejected, its rows
    /// are dropped.
    @inline(never)
    mutating func receive(
        _ message: ClientMessage, reporting rows: VisibleRows, in frame: Span<UInt8>,
        using scratch: inout FrameScratch, at now: Instant
    ) {
        let known = inbound.ack
        receive(message, in: frame, using: &scratch, at: now)
        guard phase.isOpen, let header = message.header, header.seq > known,
            let index = viewIndex(header.view),
            header.generation ?? views[index].generation == views[index].generation
        else { return }
        applyEvent(
            .rowsVisible(rows), toViewAt: index, because: .client(seq: header.seq), at: now)
    }

    /// Checks that a view with these paging options can have random access, if they request it.
    func checkAccess(_ paging: PagingOptions, hasFeed: Bool) throws(Fault) {
        guard paging.access == .random else { return }
        guard hasFeed, paging.style == .offset || paging.style == .page else {
            throw Fault(.invalidOption, option: .access)
        }
    }

    /// Ends the random access of a view whose client has resumed without the feature. The view
    /// begins a new list.
    mutating func adaptAccess(ofViewAt index: Int, at now: Instant) {
        var options = views[index].engine.options
        guard options.paging.access == .random,
            inbound.features?.contains(.visibleRange) != true
        else { return }
        options.paging.access = .sequential
        applyEvent(
            .edgesConfigured(
                refresh: options.refresh, loadMore: options.loadMore, paging: options.paging),
            toViewAt: index, because: .time, at: now)
    }

    /// Sends the page of a load that has ended. `page` is counted from 0.
    mutating func endPage(
        _ load: LoadID, page number: Int, _ result: LoadResult, ofViewAt index: Int,
        because source: EventSource, at now: Instant
    ) {
        outbox.removeProgress(of: load)
        enqueueUpdate(ofViewAt: index)
        recordLoadEnd(of: load, .more, result, for: views[index], at: now)
        guard case .page(let page) = source.outcome(of: load) else { return }
        let place = views[index].engine.paging.place(ofPage: number)
        let head = ServerText.itemsHead(
            load, mode: "fill", page, count: page.count, place: place, of: views[index])
        outbox.append(.items(load, .more, head: head, page: page, deduplicated: nil))
        services.onGrowth?(2 * page.items.count, key, now)
    }
}
