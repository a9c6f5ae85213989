import Cryptography
import RefreshBroker
import RefreshEngine
import RefreshProtocol
import SessionBench

@testable import RefreshServer
@testable import RefreshSession

/// The state machine of a session (`Conversation`), with recorders of its output and of its
/// requests to the broker. Each method has the time as an argument.
final class ConversationFixture {
    static let key = SessionKey(loop: 0, slot: 0, generation: 1)

    let channel = SessionTester.RecordingChannel()
    let dispatcher = SessionTester.RecordingDispatcher()
    let services: SessionServices
    var conversation: Conversation
    private let scratch: SharedFrameScratch
    private let subject: String?

    init(
        limits: Limits = Limits(), feeds: [FeedDescription] = ConversationFixture.feeds,
        name: String = "5f0c", subject: String? = nil, at now: Instant = .origin
    ) {
        services = SessionServices(
            limits: limits, feeds: feeds, loads: dispatcher, metrics: SessionMetrics())
        scratch = services.scratch
        self.subject = subject
        conversation = Conversation(
            key: Self.key, name: name, subject: subject, channel: channel, services: services,
            now: now)
    }

    static let feeds = [
        FeedDescription(
            name: "songs", parameters: ["q"], forward: ["accept-language"], style: .page,
            first: 1, size: 10),
        FeedDescription(name: "mails", style: .cursor, size: 5),
    ]

    /// Sends a frame at `now`.
    func send(_ text: String, at now: Instant) {
        let bytes = Array(text.utf8)
        _ = conversation.receive(bytes.span, using: &scratch.box.value, at: now)
        // The session has this subject, as if its client had authenticated with a token.
        conversation.principal.subject = subject
    }

    /// Handles the deadlines that have passed.
    func wake(at now: Instant) {
        conversation.handleDeadlines(at: now)
        conversation.flush(using: &scratch.box.value, at: now)
    }

    func loadEnded(_ ticket: LoadTicket, _ outcome: LoadOutcome, at now: Instant) {
        conversation.handleLoadEvent(ticket.load, .ended(outcome), at: now)
        conversation.flush(using: &scratch.box.value, at: now)
    }

    var snapshot: SessionSnapshot {
        conversation.snapshot(tokenHash: SHA256.digest(of: Array("token".utf8)))
    }

    /// The tickets of loads that were not cancelled and that the views still wait for.
    var pending: [LoadTicket] {
        conversation.views.flatMap { view in
            view.feed == nil
                ? []
                : view.engine.loadsInFlight.map { conversation.ticket(for: $0.id, of: view) }
        }
    }

    /// Returns a page of items `{"id":…}` with their keys.
    static func page(_ ids: some Sequence<Int>, more: Bool, cursor: String? = nil) -> LoadOutcome {
        let ids = Array(ids)
        let items = "[" + ids.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
        var page = Page(items: Array(items.utf8), count: ids.count, more: more, cursor: cursor)
        page.itemKeys = JSONPointer("/id").flatMap {
            ItemKeys(of: page, at: $0, hashedBy: SipHash(key: 1, 2))
        }
        return .page(page)
    }
}
