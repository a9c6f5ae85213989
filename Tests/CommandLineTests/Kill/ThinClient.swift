import Foundation
import RefreshProtocol

/// A client with one list. It follows docs/protocol.md, including "Coming back". When the client
/// resumes, it repeats the messages that it has sent since its last snapshot, and names the last
/// load whose items it has received.
final class ThinClient {
    /// The state that the user of the client sees.
    struct Seen: Equatable {
        var top = "idle"
        var bottom = "idle"
        var insetTop = 0.0
        var insetBottom = 0.0
        var count = 0
        var hasMore = true
        var items: [Int] = []
    }

    private struct Sent {
        var seq: Int
        var text: String
        /// Whether the message is `scroll`. Of these messages, the client keeps only those of the
        /// last gesture.
        var isScroll: Bool
    }

    /// The port of the next connection.
    var port: UInt16
    private var socket: SessionSocket?
    private var seq = 0
    private var largestAck = 0
    private var unacknowledged: [Sent] = []
    private(set) var seen = Seen()
    private(set) var session = ""
    /// The names of all sessions that the client has had.
    private(set) var sessions: Set<String> = []
    private var token = ""
    private(set) var snapshot: String?
    private var received: String?
    private(set) var running: Set<String> = []
    private(set) var contentHeight = 0
    private(set) var offset = 0.0
    /// Whether the daemon has sent `welcome` on this connection.
    private(set) var isGreeted = false
    /// The result of each resume: `resumed`, or the reason of the refusal.
    private(set) var returns: [String] = []
    /// The errors that the daemon has sent.
    private(set) var errors: [String] = []

    init(port: UInt16) { self.port = port }

    var isConnected: Bool { socket != nil }

    // MARK: Talking

    /// Connects, and resumes the session if there is one. Returns false if no server listens.
    func connect() -> Bool {
        guard let socket = SessionSocket(port: port) else { return false }
        self.socket = socket
        isGreeted = false
        let view = """
            {"view":"list","profile":"default","feed":"songs","offset":\(offset),\
            "top":{"minVisible":40,"successHold":60,"insetDuration":50},\
            "bottom":{"insetDuration":50},\
            "geometry":{"viewport":{"width":390,"height":800},\
            "content":{"width":390,"height":\(contentHeight)}}}
            """
        var hello = #"{"type":"hello","protocol":1,"snapshots":true,"views":[\#(view)]"#
        if !session.isEmpty {
            hello += #","resume":{"session":"\#(session)","token":"\#(token)","ack":\#(largestAck)"#
            hello += #","received":[\#(received.map { "\"\($0)\"" } ?? "")]"#
            hello += snapshot.map { #","snapshot":"\#($0)""# } ?? ""
            hello += "}"
        }
        let again = unacknowledged.map(\.text)
        socket.send("[" + ([hello + "}"] + again).joined(separator: ",") + "]")
        return true
    }

    /// Drops the connection, together with the received data that was not read.
    func disconnect() { socket = nil }

    func scroll(to offset: Double, phase: String) {
        if phase == "began" { unacknowledged.removeAll(where: \.isScroll) }
        self.offset = offset
        send("scroll", #","offset":\#(offset),"phase":"\#(phase)","velocity":0"#)
    }

    func setContent(height: Int) {
        contentHeight = height
        send("geometry", #","content":{"width":390,"height":\#(height)}"#)
    }

    private func send(_ type: String, _ rest: String) {
        seq += 1
        let text = #"{"type":"\#(type)","view":"list","seq":\#(seq)\#(rest)}"#
        // A `geometry` message need not be repeated, because `hello` contains the geometry.
        if type != "geometry" {
            unacknowledged.append(Sent(seq: seq, text: text, isScroll: type == "scroll"))
        }
        socket?.send(text)
    }

    // MARK: Listening

    /// Returns the types of the messages in the next frame. Nil if the connection is lost. Empty if
    /// none arrived in time.
    func listen(within milliseconds: Int32) -> [String]? {
        guard let socket else { return nil }
        switch socket.receive(within: milliseconds) {
        case .silence: return []
        case .closed:
            disconnect()
            return nil
        case .text(let text):
            guard let value = try? JSONValue(parsing: text) else {
                errors.append("no JSON: \(text)")
                return []
            }
            let messages = value.array ?? [value]
            for message in messages { apply(message) }
            return messages.map { message in
                let type = message["type"]?.string ?? ""
                let detail = message["kind"]?.string ?? message["top"]?["state"]?.string
                return detail.map { "\(type) \($0)" } ?? type
            }
        }
    }

    private func apply(_ message: JSONValue) {
        if let ack = message["ack"]?.number { largestAck = max(largestAck, Int(ack)) }
        switch message["type"]?.string {
        case "welcome": welcome(message)
        case "attached", "update": update(message)
        case "items": apply(items: message)
        case "loading": loading(message)
        case "snapshot":
            snapshot = message["sealed"]?.string
            guard let ack = message["ack"]?.number else { return }
            unacknowledged.removeAll { $0.seq <= Int(ack) }
        case "error": errors.append(message["code"]?.string ?? "?")
        default: break
        }
    }

    private func welcome(_ message: JSONValue) {
        if !session.isEmpty {
            let isResumed = message["resumed"] == .bool(true)
            returns.append(isResumed ? "resumed" : message["reason"]?.string ?? "?")
            if !isResumed {
                // A new session has begun, so the old state is cleared.
                seen = Seen()
                running = []
                snapshot = nil
                received = nil
                largestAck = 0
            }
        }
        isGreeted = true
        session = message["session"]?.string ?? ""
        sessions.insert(session)
        token = message["token"]?.string ?? ""
    }

    private func update(_ message: JSONValue) {
        if let state = message["top"]?["state"]?.string { seen.top = state }
        if let state = message["bottom"]?["state"]?.string { seen.bottom = state }
        if let inset = message["inset"]?["top"]?.number { seen.insetTop = inset }
        if let inset = message["inset"]?["bottom"]?.number { seen.insetBottom = inset }
        if let count = message["list"]?["count"]?.number { seen.count = Int(count) }
        if let more = message["list"]?["more"] { seen.hasMore = more == .bool(true) }
    }

    private func apply(items message: JSONValue) {
        let items = (message["items"]?.array ?? []).compactMap { $0["id"]?.number.map { Int($0) } }
        if message["mode"]?.string == "replace" { seen.items = [] }
        seen.items += items
        received = message["load"]?.string
        if let load = received { running.remove(load) }
    }

    private func loading(_ message: JSONValue) {
        guard let load = message["load"]?.string else { return }
        switch message["phase"]?.string {
        case "began": running.insert(load)
        case "progress", "retrying": break
        default:
            running.remove(load)
            errors.append("load \(load) \(message["phase"]?.string ?? "?")")
        }
    }
}
