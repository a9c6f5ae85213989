import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// A client that edits its list, and keeps the list as the daemon sends it.
final class EditingClient {
    let tester: SessionTester
    var list: [JSONValue] = []
    /// The messages `edited`, in their order.
    var answers: [JSONValue] = []
    /// The types of the messages about the list and its edits, by frame.
    var frames: [[String]] = []
    private(set) var attached: JSONValue?
    private var seq = 1
    private var seen = 0

    static let features = #"["patch","live","edits","unread","query"]"#

    init(
        features: String? = EditingClient.features, top: String = "",
        edits: Set<ItemOperation.Kind> = Set(ItemOperation.Kind.allCases)
    ) {
        tester = SessionTester(
            limits: SessionTester.patient,
            feeds: [
                FeedDescription(
                    name: "songs", parameters: ["q"], style: .page, size: 10,
                    itemKey: JSONPointer("/id"), edits: edits)
            ])
        tester.services.itemHash = SipHash(key: 1, 2)
        let answer = tester.open(
            feed: "songs", features: features, extra: top.isEmpty ? "" : #","top":{\#(top)}"#)
        attached = answer.first { $0["type"]?.string == "attached" }
        seen = tester.channel.frames.count
    }

    @discardableResult
    func send(_ type: String, _ extra: String = "") throws -> [JSONValue] {
        seq += 1
        let answer = tester.send(#"{"type":"\#(type)","view":"list","seq":\#(seq)\#(extra)}"#)
        try read()
        return answer
    }

    @discardableResult
    func edit(_ name: String, _ operation: String, delayMs: Int = 0) throws -> [JSONValue] {
        let delay = delayMs > 0 ? #","delayMs":\#(delayMs)"# : ""
        return try send("edit", #","edit":"\#(name)","operation":\#(operation)\#(delay)"#)
    }

    static func insert(_ id: Int) -> String {
        #"{"insert":\#(PatchedList.item(id, bytes: 1)),"at":"start"}"#
    }

    /// Loads the first page.
    func load(_ ids: some Sequence<Int>) throws {
        try send("refresh")
        try answerLoad(ids)
    }

    func answerLoad(_ ids: some Sequence<Int>) throws {
        let ticket = try #require(tester.dispatcher.started.last?.0)
        let page = try PatchedList.page(ids.map { PatchedList.item($0, bytes: 1) })
        tester.session.handle(.load(ticket, .ended(.page(page))), at: tester.now)
        try read()
    }

    /// Ends the edit that the broker was asked for at this position.
    func end(_ position: Int, _ outcome: EditOutcome = .confirmed) throws {
        let edit = tester.dispatcher.edits[position]
        tester.session.handle(.edited(edit.ticket, edit.request, outcome), at: tester.now)
        try read()
    }

    /// Reports the change of other users.
    func report(_ operations: [ItemOperation]) throws {
        tester.session.handle(
            .changed(feed: "songs", count: .unknown, items: [ItemChange(operations)]),
            at: tester.now)
        try read()
    }

    /// Reports the change of the edit, as the broker does after its outcome.
    func report(_ position: Int, _ item: EditedItem? = nil) throws {
        let request = tester.dispatcher.edits[position].request
        tester.session.handle(
            .changed(
                feed: "songs", count: .unknown,
                items: [
                    ItemChange(
                        parameters: request.parameters, request.operations(replacedBy: item))
                ]), at: tester.now)
        try read()
    }

    func advance(byMs milliseconds: Double) throws {
        tester.now = tester.now.advanced(byMilliseconds: milliseconds)
        tester.session.handle(.wake, at: tester.now)
        try read()
    }

    /// Applies the messages that have arrived.
    func read() throws {
        for frame in tester.channel.frames[seen...] {
            let value = try JSONValue(parsing: frame)
            let messages = value.array ?? [value]
            let types = messages.compactMap { $0["type"]?.string }
            let own = types.filter { $0 == "items" || $0 == "edited" }
            if !own.isEmpty { frames.append(own) }
            for message in messages {
                switch message["type"]?.string {
                case "items": list = try #require(PatchedList.applying(message, to: list))
                case "edited": answers.append(message)
                default: break
                }
            }
        }
        seen = tester.channel.frames.count
    }

    var ids: [Int] { list.compactMap { $0["id"]?.number.map { Int($0) } } }
    var results: [String] { answers.compactMap { $0["result"]?.string } }
    var codes: [String?] { answers.map { $0["code"]?.string } }
    var edits: [(ticket: EditTicket, request: EditRequest)] { tester.dispatcher.edits }
}
