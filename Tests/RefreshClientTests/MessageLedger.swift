import RefreshProtocol

@testable import RefreshClient

/// Checks the messages of a client against the rules of docs/protocol.md, from what the daemon
/// receives and answers. Requests have the member `tag`.
final class MessageLedger {
    enum Excuse { case detached, sessionLost, dropped }

    /// What is against the rules, in sentences.
    private(set) var violations: [String] = []
    /// The frames, for the report of a failure.
    private(set) var log: [String] = []
    /// The view of each request that must still be handled.
    private var expected: [Double: String] = [:]
    /// The number with which the session has handled each request.
    private var handled: [Double: UInt64] = [:]
    /// The requests that the session need not handle.
    private var excused: [Double: Excuse] = [:]
    /// How often the app has attached a view of each name again, and the view of the session.
    private var newest: [String: Int] = [:]
    private var known: [String: Int] = [:]
    /// The views of the session, and its last number.
    private var views: Set<String> = []
    /// The views of `hello` that the daemon has refused, until the client knows it.
    private var refused: Set<String> = []
    private var last: UInt64 = 0
    private var isGreeted = false

    var unanswered: [Double] {
        expected.keys.filter { handled[$0] == nil && excused[$0] == nil }.sorted()
    }

    /// The app makes a request.
    func expect(_ tag: Double, view: String) { expected[tag] = view }

    /// The app detaches a view: the requests about it need not be handled, and those that were not
    /// handled must not be any more.
    func detach(_ view: String) {
        for (tag, name) in expected where name == view { excused[tag] = .detached }
    }

    /// The app attaches a view.
    func attach(_ view: String) { newest[view, default: 0] += 1 }

    /// The daemon has refused a frame with these messages.
    func refuse(_ messages: [JSONValue]) {
        for tag in messages.compactMap({ $0["tag"]?.number }) {
            excused[tag] = excused[tag] ?? .dropped
        }
    }

    /// A connection is opened.
    func connected() {
        isGreeted = false
        log.append("connected")
    }

    /// The daemon has received a frame, and has sent these answers.
    func received(_ messages: [JSONValue], answers: [JSONValue]) {
        log.append("> \(messages.map { Self.brief($0) })")
        log.append("< \(answers.map { Self.brief($0) })")
        var rest = messages[...]
        var isRepeated = false
        if let hello = rest.first, hello["type"]?.string == "hello" {
            rest = rest.dropFirst()
            isRepeated = true
            greet(hello, answers)
        }
        guard isGreeted else {
            return fail("A frame without `hello` was sent before `welcome`.", messages)
        }
        var seq: UInt64 = 0
        for message in rest where message["type"]?.string.map(Self.isNumbered) == true {
            handle(message, isRepeated: isRepeated, after: &seq)
        }
        refused = []
        for message in rest where message["type"]?.string == "attach" {
            let isRefused = answers.contains { answer in
                answer["type"]?.string == "error" && answer["seq"] == message["seq"]
            }
            if isRefused { message["view"]?.string.map { _ = views.remove($0) } }
        }
    }

    private static func brief(_ message: JSONValue) -> String {
        ["type", "view", "seq", "ack", "code", "resumed", "reason", "tag", "phase", "closes"]
            .compactMap { name in message[name].map { "\(name) \($0.text)" } }
            .joined(separator: " ")
    }

    private static func isNumbered(_ type: String) -> Bool {
        !["ping", "snapshot", "bye"].contains(type)
    }

    private func greet(_ hello: JSONValue, _ answers: [JSONValue]) {
        guard !isGreeted else { return fail("`hello` was sent twice.", [hello]) }
        guard let welcome = answers.first(where: { $0["type"]?.string == "welcome" }) else {
            return fail("`hello` was refused.", [hello])
        }
        isGreeted = true
        let before = views
        views = Set(hello["views"]?.array?.compactMap { $0["view"]?.string } ?? [])
        let attached = answers.filter { $0["type"]?.string == "attached" }
        refused = views.subtracting(attached.compactMap { $0["view"]?.string })
        views.subtract(refused)
        guard welcome["resumed"]?.bool == true else {
            // The client drops its messages with the lost session. Those that follow `hello` are
            // handled, however.
            for tag in expected.keys { excused[tag] = excused[tag] ?? .sessionLost }
            handled = [:]
            for view in views { known[view] = newest[view] }
            last = 0
            return
        }
        let ack = welcome["ack"]?.sequence ?? 0
        for view in views.intersection(before) where ack == last && known[view] != newest[view] {
            fail("An earlier view of the name `\(view)` is continued.", [hello])
        }
        for view in views { known[view] = newest[view] }
        last = ack
        // The state of the session can be older than its last answer.
        // A view that `hello` leaves out is detached, with what was requested for it.
        handled = handled.filter { tag, seq in
            seq <= last && expected[tag].map { views.contains($0) } == true
        }
    }

    private func handle(_ message: JSONValue, isRepeated: Bool, after seq: inout UInt64) {
        guard let number = message["seq"]?.sequence else {
            return fail("A message has no number.", [message])
        }
        if number <= seq { fail("The numbers of a frame do not ascend.", [message]) }
        seq = number
        guard number > last else {
            if !isRepeated { fail("A number is not larger than the last one.", [message]) }
            return
        }
        last = number
        let view = message["view"]?.string ?? ""
        switch message["type"]?.string {
        case "attach":
            if !views.insert(view).inserted { fail("An attached view is attached.", [message]) }
            known[view] = newest[view]
        case _ where refused.contains(view): break
        case _ where !views.contains(view): fail("The view is not attached.", [message])
        case "detach": views.remove(view)
        default:
            guard let tag = message["tag"]?.number else { return }
            if handled.updateValue(number, forKey: tag) != nil {
                fail("A request is handled twice.", [message])
            }
            if excused[tag] == .detached { fail("A request is for an earlier view.", [message]) }
        }
    }

    private func fail(_ text: String, _ messages: [JSONValue]) {
        violations.append("\(text) \(messages.map(\.text))")
    }
}
