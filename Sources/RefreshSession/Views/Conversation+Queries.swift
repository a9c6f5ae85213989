import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// New queries of a view's feed, and the first items of a view. Source: docs/protocol.md, "Queries"
/// and "First items".
extension Conversation {
    /// The query of a `configure` message. It has passed all checks.
    struct NewQuery {
        /// Nil: the query stays the same, or the view has no feed.
        var parameters: [LoadParameter]?
        var debounceMs: UInt32
        var clears: Bool
        /// Whether the broker can have the first page in its cache.
        var looksUp: Bool
    }

    /// Checks the query of a message for a view. Returns nil if the message has no parameters.
    func newQuery(
        _ query: QueryChange?, ofViewAt index: Int
    ) throws(Fault) -> NewQuery? {
        guard let query, let texts = query.parameters else { return nil }
        let clears = query.shown == .clear
        guard let use = views[index].feed else {
            return NewQuery(debounceMs: 0, clears: clears, looksUp: false)
        }
        let feed = try permittedFeed(named: use.name)
        let parameters = try parameters(texts, for: feed)
        let isOther = Set(parameters) != Set(use.parameters)
        return NewQuery(
            parameters: isOther ? parameters : nil,
            debounceMs: UInt32(clamping: query.debounceMs ?? feed.debounceMs), clears: clears,
            looksUp: feed.keepsPages)
    }

    mutating func applyQuery(
        _ query: NewQuery?, toViewAt index: Int, seq: UInt64?, at now: Instant
    ) {
        guard let query else { return }
        guard let feed = views[index].feed else {
            return reportDiagnostic(
                Diagnostic(
                    .notConfigurable, seq: seq, view: views[index].id,
                    field: Field.parameters.wireName), at: now)
        }
        guard let parameters = query.parameters else { return }
        feed.beginQuery(parameters)
        services.onGrowth?(feed.parameterBytes, key, now)
        applyEvent(
            .queryChanged(
                debounceMs: query.debounceMs, clears: query.clears, looksUp: query.looksUp),
            toViewAt: index, because: seq.map { .client(seq: $0) } ?? .time, at: now)
        // Pages of the old list that are still queued must not be sent.
        let hadPages = outbox.cancelPages(
            of: views[index].id, generation: views[index].generation)
        if hadPages, !query.clears { views[index].update.removeList() }
    }

    /// Handles the parameters of the views in the `hello` of a resume. The messages that the client
    /// has repeated were handled before. Parameters that differ from the newest query are a new
    /// query.
    mutating func applyQueries(of hello: Hello, at now: Instant) {
        guard inbound.features?.contains(.query) == true, phase.isListening else { return }
        for attach in hello.views {
            guard let index = viewIndex(attach.view), let use = views[index].feed,
                attach.feed == use.name
            else { continue }
            var change = QueryChange()
            change.parameters = attach.parameters
            change.debounceMs = 0
            do {
                let query = try newQuery(change, ofViewAt: index)
                applyQuery(query, toViewAt: index, seq: nil, at: now)
            } catch {
                reportDiagnostic(
                    Diagnostic(
                        .resumedOtherwise, view: attach.view,
                        field: Field.parameters.wireName), at: now)
            }
        }
    }

    mutating func requestFirstItems(_ items: FirstItems, ofViewAt index: Int, at now: Instant) {
        guard items != .none else { return }
        let feed = views[index].feed.flatMap { services.feed(named: $0.name) }
        applyEvent(
            .firstItemsRequested(looksUp: items == .kept && feed?.keepsPages == true),
            toViewAt: index, because: .time, at: now)
        guard views[index].engine.lookUp != nil else { return }
        outbox.heldCount = nil
        waitForFirstItems(at: now)
    }

    /// Handles the end of a look-up. If the look-up found a page, this page becomes the result of a
    /// load.
    mutating func handleLookUpEnd(_ load: LoadID, _ found: FoundPage?, at now: Instant) {
        // The messages of this look-up may wait for another one.
        outbox.heldCount = nil
        guard let index = viewIndex(generation: load.generation) else {
            if let found { recordLateAnswer(.page(found.page)) }
            return
        }
        guard let found else {
            return applyEvent(.lookUpEnded(load, nil), toViewAt: index, because: .time, at: now)
        }
        let deduplicated = deduplicated(found.page, of: .refresh, forViewAt: index)
        let outcome = LoadOutcome.page(found.page)
        applyEvent(
            .lookUpEnded(
                load,
                CachedEnding(
                    LoadEnding(outcome, removed: deduplicated?.removed ?? 0),
                    ageMs: UInt32(clamping: found.ageMs), isFresh: found.isFresh)),
            toViewAt: index, because: .broker(load, outcome, deduplicated), at: now)
    }
}
