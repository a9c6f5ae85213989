import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// When the list of a view must be verified, because it is not certain whether a page had the
/// operations that were applied before or after it. Source: docs/protocol.md, "Live items".
///
/// A backend changes its list before the change is reported. A page that is read in between has
/// the change already. Then an item before the next page can be counted twice, and an item can be
/// moved back to an earlier place.
struct ListVerification: Hashable, Codable {
    /// What operations do to a list.
    struct Effect: OptionSet {
        let rawValue: UInt8

        /// The number of items changes.
        static let resizes = Effect(rawValue: 1)
        /// An item moves.
        static let moves = Effect(rawValue: 2)
    }

    /// When the view was attached, or its session was rebuilt.
    private let begunAt: Instant
    private var requestedAt = Instant.origin
    /// The last pages; `never`: there was none.
    private var pageAt = Instant.never
    private var furtherPageAt = Instant.never
    /// The last operations; `never`: there were none.
    private var resizedAt = Instant.never
    private var movedAt = Instant.never
    private var verifiedAt = Instant.never
    /// When the list must be verified; `never` if it need not be.
    private(set) var due = Instant.never

    init(begunAt: Instant) { self.begunAt = begunAt }

    /// Whether an edit that arrives now may have been performed before, for an earlier session of
    /// its client or for an earlier state of this session.
    func isRepeated(at now: Instant) -> Bool { Self.isRecent(begunAt, at: now) }

    mutating func recordRequest(at now: Instant) { requestedAt = now }

    /// Records that a page was accepted. `isNumbered`: it follows other pages by their number or
    /// offset.
    mutating func recordPage(isNumbered: Bool, at now: Instant) {
        pageAt = now
        if isNumbered { furtherPageAt = now }
        // An operation that was reported some time before the request is in the page for certain.
        let since = requestedAt.advanced(byMilliseconds: -ReportOrder.delayMs)
        let isUncertain =
            movedAt != .never && movedAt > since
            || isNumbered && resizedAt != .never && resizedAt > since
        if isUncertain { schedule(at: now) }
    }

    mutating func recordOperations(_ effect: Effect, at now: Instant) {
        if effect.contains(.resizes) { resizedAt = now }
        if effect.contains(.moves) { movedAt = now }
        let isUncertain =
            effect.contains(.moves) && Self.isRecent(pageAt, at: now)
            || effect.contains(.resizes) && Self.isRecent(furtherPageAt, at: now)
        if isUncertain { schedule(at: now) }
    }

    /// Lets the list be verified some time later.
    private mutating func schedule(at now: Instant) {
        guard due == .never else { return }
        due = now.advanced(byMilliseconds: ReportOrder.delayMs)
        guard verifiedAt != .never else { return }
        due = max(due, verifiedAt.advanced(byMilliseconds: ReportOrder.intervalMs))
    }

    /// Returns whether the list must be verified now.
    mutating func takeDue(at now: Instant) -> Bool {
        guard due <= now else { return false }
        due = .never
        verifiedAt = now
        return true
    }

    private static func isRecent(_ moment: Instant, at now: Instant) -> Bool {
        moment != .never && now.milliseconds(since: moment) < ReportOrder.windowMs
    }
}

extension Sequence<ReportedOperation> {
    /// What the operations do to a list.
    var effect: ListVerification.Effect {
        reduce(into: []) { effect, reported in
            switch reported.operation.kind {
            case .insert, .remove: effect.insert(.resizes)
            case .move: effect.insert([.moves, .resizes])
            case .update, .refresh: break
            }
        }
    }
}

extension Conversation {
    /// When the next list must be verified; `never` if none must be.
    var verificationsDue: Instant {
        views.reduce(Instant.never) { min($0, $1.feed?.verification?.value.due ?? .never) }
    }

    /// Observes the pages and the operations of a view, if its client uses live items. `isNew`: the
    /// view was attached, or its session was rebuilt.
    func observePages(ofViewAt index: Int, isNew: Bool, at now: Instant) {
        guard let feed = views[index].feed else { return }
        guard inbound.features?.uses(.live) == true, feed.sentList != nil else {
            feed.verification = nil
            return
        }
        guard isNew || feed.verification == nil else { return }
        feed.verification = Boxed(ListVerification(begunAt: now))
    }

    mutating func recordUncertainty(
        ofViewAt index: Int, _ record: (inout ListVerification) -> Void
    ) {
        guard let feed = views[index].feed, var verification = feed.verification?.value else {
            return
        }
        let before = verification.due
        record(&verification)
        feed.verification = Boxed(verification)
        if verification.due != before { phase.timeoutCheckDue = earliestTimeout }
    }

    mutating func verifyLists(dueAt now: Instant) {
        for index in views.indices {
            var isDue = false
            guard views[index].feed?.verification?.value.due ?? .never <= now else { continue }
            recordUncertainty(ofViewAt: index) { isDue = $0.takeDue(at: now) }
            if isDue {
                applyEvent(.orderUncertain, toViewAt: index, because: .time, at: now)
            }
        }
    }
}
