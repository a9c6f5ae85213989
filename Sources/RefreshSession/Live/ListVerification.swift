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

    /// How often a verification is repeated whose refreshes fail.
    private static let repetitionsMax = 4
    /// How often the interval doubles, at most, while verifications follow each other.
    private static let doublingsMax = 2

    private var requestedAt = Instant.origin
    /// The last pages; `never`: there was none.
    private var pageAt: Instant
    private var furtherPageAt: Instant
    /// The last operations; `never`: there were none.
    private var resizedAt = Instant.never
    private var movedAt = Instant.never
    private var verifiedAt = Instant.never
    /// When the engine was asked to verify the list, if no refresh has succeeded since; otherwise
    /// `never`.
    private var awaitedSince = Instant.never
    /// How many refreshes have failed since then.
    private var failures = 0
    /// Whether the list is verified at `due` only because a refresh has failed.
    private var isRepetition = false
    private var doublings = 0
    /// When the list must be verified; `never` if it need not be.
    private(set) var due = Instant.never

    /// `rebuiltAt`: when the session was rebuilt, with pages that were accepted at another daemon.
    init(rebuiltAt: Instant = .never) {
        pageAt = rebuiltAt
        furtherPageAt = rebuiltAt
    }

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
    mutating func schedule(at now: Instant) {
        isRepetition = false
        guard due == .never else { return }
        due = now.advanced(byMilliseconds: ReportOrder.delayMs)
        guard verifiedAt != .never else { return }
        let interval = ReportOrder.intervalMs * Double(1 << doublings)
        let isFollowing = now.milliseconds(since: verifiedAt) < 2 * interval
        doublings = isFollowing ? min(doublings + 1, Self.doublingsMax) : 0
        due = max(due, verifiedAt.advanced(byMilliseconds: interval))
    }

    /// Changes the verification. Returns whether its due time has changed.
    mutating func update(_ change: (inout ListVerification) -> Void) -> Bool {
        let before = due
        change(&self)
        return due != before
    }

    /// Returns whether the list must be verified now.
    mutating func takeDue(at now: Instant) -> Bool {
        guard due <= now else { return false }
        due = .never
        isRepetition = false
        recordVerification(at: now)
        return true
    }

    /// Records that the engine is asked to verify the list.
    mutating func recordVerification(at now: Instant) {
        verifiedAt = now
        awaitedSince = now
    }

    /// Records that a refresh has ended. If it has failed, a list that waits for its verification
    /// is verified later, at most `repetitionsMax` times. After that, the next successful refresh
    /// counts as the verification.
    mutating func recordRefreshEnd(isAccepted: Bool, at now: Instant) {
        guard awaitedSince != .never else { return }
        if !isAccepted {
            failures += 1
            guard failures <= Self.repetitionsMax, due == .never else { return }
            schedule(at: now)
            isRepetition = true
        } else if requestedAt >= awaitedSince {
            awaitedSince = .never
            failures = 0
            if isRepetition { due = .never }
            isRepetition = false
        }
    }

    private static func isRecent(_ moment: Instant, at now: Instant) -> Bool {
        moment != .never && now.milliseconds(since: moment) < ReportOrder.windowMs
    }
}

/// A verification that is changed in place, because each operation changes it.
final class VerificationBox {
    var value: ListVerification

    init(_ value: ListVerification) { self.value = value }
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
    /// When the next list must be verified; `never` if none must be, or if there is no client.
    var verificationsDue: Instant {
        guard phase.isOpen else { return .never }
        return views.reduce(Instant.never) { min($0, $1.feed?.verification?.value.due ?? .never) }
    }

    /// Observes the pages and the operations of a view, if its client uses live items.
    /// `rebuiltAt`: when the session was rebuilt, if this happens now.
    func observePages(ofViewAt index: Int, rebuiltAt: Instant = .never) {
        guard let feed = views[index].feed else { return }
        guard inbound.features?.uses(.live) == true, feed.sentList != nil else {
            feed.verification = nil
            return
        }
        guard feed.verification == nil || rebuiltAt != .never else { return }
        feed.verification = VerificationBox(ListVerification(rebuiltAt: rebuiltAt))
    }

    mutating func updateVerification(
        ofViewAt index: Int, _ record: (inout ListVerification) -> Void
    ) {
        guard let box = views[index].feed?.verification else { return }
        // Every access to the value of the box is checked at run time, so there is only one.
        if box.value.update(record) { phase.timeoutCheckDue = earliestTimeout }
    }

    mutating func verifyLists(dueAt now: Instant) {
        for index in views.indices {
            var isDue = false
            guard views[index].feed?.verification?.value.due ?? .never <= now else { continue }
            updateVerification(ofViewAt: index) { isDue = $0.takeDue(at: now) }
            if isDue {
                applyEvent(.orderUncertain, toViewAt: index, because: .time, at: now)
            }
        }
    }
}
