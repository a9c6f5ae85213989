import RefreshEngine
import RefreshProtocol

/// Handles the messages of a client.
extension Conversation {
    /// Handles any message. `handleScroll` handles frequent messages on a faster path.
    @inline(never)
    mutating func handle(_ message: consuming ClientMessage, at now: Instant) {
        guard phase.isOpen else { return handleBeforeHello(message, at: now) }
        switch message {
        case .scroll(let header, let sample):
            applyEvent(.scrolled(sample), to: header, at: now)
        case .pan(let header, let sample): applyEvent(.panned(sample), to: header, at: now)
        // `receive` has taken such a message apart.
        case .withRows(let message, _): handle(message, at: now)
        case .hello: report(Fault(.alreadyGreeted), at: now)
        case .attach(let header, let attach):
            guard acceptSequenceNumber(of: header, at: now) else { return }
            self.attach(attach, seq: header.seq, at: now)
        case .detach(let header):
            guard let index = resolveView(of: header, at: now) else { return }
            detach(viewAt: index, at: now)
        case .configure(let header, let edges, let paging, let pan, let query):
            configure(header, edges, paging, pan, query, at: now)
        case .loadBegan(let header, let load, let accepted):
            applyClientLoadEvent(.loadBegan(load, accepted: accepted), to: header, at: now)
        case .loadProgress(let header, let load, _):
            applyClientLoadEvent(.loadProgressed(load), to: header, at: now)
        case .loadFinished(let header, let report):
            applyClientLoadEvent(.loadEnded(report.load, LoadEnding(report)), to: header, at: now)
        case .geometry(let header, let change):
            applyEvent(.geometryChanged(change), to: header, at: now)
        case .refresh(let header, let cause, let animated):
            applyEvent(.refreshRequested(cause: cause, animated: animated), to: header, at: now)
        case .begin(let header, let animated):
            applyEvent(.indicatorShowRequested(animated: animated), to: header, at: now)
        case .end(let header, let animated):
            applyEvent(.indicatorHideRequested(animated: animated), to: header, at: now)
        case .loadMore(let header, let cause):
            applyEvent(.loadMoreRequested(cause: cause), to: header, at: now)
        case .retry(let header, let edge):
            applyEdgeEvent(Event.retryRequested, of: edge, to: header, at: now)
        case .cancel(let header, let edge):
            applyEdgeEvent(Event.cancelRequested, of: edge, to: header, at: now)
        case .reset(let header, let edge): reset(edge, header, at: now)
        case .floor(let header, let isOpen):
            applyEvent(.floorRequested(isOpen: isOpen), to: header, at: now)
        case .appear(let header): applyEvent(.appeared, to: header, at: now)
        case .disappear(let header): applyEvent(.disappeared, to: header, at: now)
        case .reveal(let header, let target, let animated):
            applyEvent(.revealRequested(target, animated: animated), to: header, at: now)
        case .read(let header, let id): applyEvent(.readMarked(id), to: header, at: now)
        case .edit(let header, let edit): handleEdit(edit, header, at: now)
        case .undo(let header, let edit): handleUndo(of: edit, header, at: now)
        case .enable(let header, let edge, let enabled):
            // `$0` is not nil: `enable` names an edge, and an edge without a role is refused.
            applyEdgeEvent({ .edgeEnabled($0 ?? .refresh, enabled) }, of: edge, to: header, at: now)
        case .ping(let time):
            outbox.append(.passing(ServerText.pong(time: time, now: now, ack: inbound.ack)))
        case .snapshot:
            // A daemon that cannot seal snapshots treats this message like an unknown one.
            guard canSeal else { return report(Fault(.unknownType, field: .type), at: now) }
            requestSnapshot(at: now)
        case .bye: close(.normal, sending: ServerText.bye)
        }
    }

    private mutating func reset(_ edge: Edge?, _ header: MessageHeader, at now: Instant) {
        let handled = inbound.ack
        let live = viewIndex(header.view).flatMap { views[$0].feed?.live }
        applyEdgeEvent(Event.resetRequested, of: edge, to: header, at: now)
        // A refused message changes nothing.
        guard inbound.ack != handled, let index = viewIndex(header.view) else { return }
        // The first page after any `reset` is a whole list, whatever edge the message names. The
        // engine may have forgotten the list already, but not what was held back for it.
        views[index].feed?.live = live
        discardOperations(ofViewAt: index, at: now)
        views[index].feed?.forgetList()
        let inserts = live?.value.insertCount ?? 0
        guard edge != nil, inserts > 0 else { return }
        applyEvent(
            .feedChanged(count: NewerCount(inserts)), toViewAt: index, because: .feed, at: now)
    }

    /// Handles an input other than a frame.
    mutating func handle(_ input: SessionInput, at now: Instant) {
        switch input {
        case .binary: receiveBinary(at: now)
        case .load(let load, _, let event): handleLoadEvent(load, event, at: now)
        case .changed(let feed, let start, let count, let items):
            handleFeedChange(feed, count: count, items, refreshAt: start, at: now)
        case .edited(let view, let edit, let outcome, let change):
            handleEditOutcome(of: edit, outcome, change, view: view, at: now)
        case .wake: handleDeadlines(at: now)
        case .draining(let closesMs): announceDraining(closesMs: closesMs, at: now)
        case .end(.draining): closeForDraining(at: now)
        case .end(let code): report(Fault(code), at: now)
        case .identified(let verdict): applyVerdict(verdict, at: now)
        case .refused(let refusal): rejectResume(refusal, at: now)
        // The queue is sent after every input.
        case .writable: resumeOperations(at: now)
        // `Session` handles some of these inputs itself. The others are the results of calls by the
        // session, which uses them at once.
        case .begun, .frame, .channel, .held, .known, .lost, .resumed, .rebuilt, .sealed, .left,
            .closed:
            break
        }
    }

    /// Handles a binary frame. Its content is ignored, but it counts against the rate limit.
    private mutating func receiveBinary(at now: Instant) {
        inbound.lastReceivedAt = now
        if let excess = inbound.count(bytes: 0, at: now) {
            return report(Fault(excess), at: now)
        }
        report(Fault(.binaryFrame), at: now)
    }

    private mutating func handleBeforeHello(_ message: ClientMessage, at now: Instant) {
        switch message {
        case .hello(let hello): handleHello(hello, at: now)
        case .ping(let time):
            outbox.append(.passing(ServerText.pong(time: time, now: now, ack: inbound.ack)))
        case .bye: close(.normal, sending: ServerText.bye)
        default:
            report(
                Fault(.helloRequired, seq: message.header?.seq, view: message.header?.view),
                at: now)
        }
    }

    /// Passes the event to the engine of the message's view, if the message is valid. This function
    /// is not inlined, so all messages that are not frequent share one copy of its code.
    @inline(never)
    mutating func applyEvent(
        _ event: Event, to header: MessageHeader, at now: Instant
    ) {
        guard let index = resolveView(of: header, at: now) else { return }
        applyEvent(event, toViewAt: index, because: .client(seq: header.seq), at: now)
    }

    /// Passes an event for one edge, or for all edges if `edge` is nil, to the engine of the view.
    private mutating func applyEdgeEvent(
        _ event: (EdgeRole?) -> Event, of edge: Edge?, to header: MessageHeader,
        at now: Instant
    ) {
        guard let index = resolveView(of: header, at: now) else { return }
        guard let edge else {
            return applyEvent(
                event(nil), toViewAt: index, because: .client(seq: header.seq), at: now)
        }
        let roles = views[index].engine.options.layout.roles(of: edge)
        if roles.isEmpty {
            report(Fault(.missingEdge, field: .edge, seq: header.seq, view: header.view), at: now)
        }
        for role in roles {
            applyEvent(event(role), toViewAt: index, because: .client(seq: header.seq), at: now)
        }
    }

    /// Passes the event of a message about a load to the engine. Only a client that is its own
    /// backend may send such messages.
    private mutating func applyClientLoadEvent(
        _ event: Event, to header: MessageHeader, at now: Instant
    ) {
        guard let index = resolveView(of: header, at: now) else { return }
        guard views[index].feed == nil else {
            return report(
                Fault(.notClientBackend, field: .load, seq: header.seq, view: header.view),
                at: now)
        }
        applyEvent(event, toViewAt: index, because: .clientBackend(seq: header.seq), at: now)
    }

    private mutating func configure(
        _ header: MessageHeader, _ edges: EdgeSettings, _ overrides: PagingOverrides?,
        _ pan: [OptionSetting], _ query: QueryChange?, at now: Instant
    ) {
        guard let index = resolveView(of: header, at: now) else { return }
        var options = views[index].engine.options
        if let overrides {
            let feed = views[index].feed.flatMap { services.feed(ofView: $0.name) }
            options.paging = paging(overrides, of: feed, over: options.paging)
        }
        var edges = edges
        let choices: Choices
        let newQuery: NewQuery?
        do throws(Fault) {
            choices = try removeIndicators(from: &edges, in: options.layout)
            try apply(choices, to: &options)
            try options.apply(edges)
            try options.pan.apply(pan)
            try checkAccess(options.paging, hasFeed: views[index].feed != nil)
            newQuery = try self.newQuery(query, ofViewAt: index)
        } catch {
            var fault = error
            fault.seq = header.seq
            fault.view = header.view
            return report(fault, at: now)
        }
        applyEvent(
            .edgesConfigured(
                refresh: options.refresh, loadMore: options.loadMore, paging: options.paging,
                pan: options.pan),
            toViewAt: index, because: .client(seq: header.seq), at: now)
        if let overrides {
            reportIgnoredPaging(overrides, ofViewAt: index, seq: header.seq, at: now)
        }
        changeIndicators(choices, ofViewAt: index, at: now)
        applyQuery(newQuery, toViewAt: index, seq: header.seq, at: now)
    }
}
