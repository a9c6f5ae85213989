internal import RefreshProtocol
internal import RefreshSession
internal import ScenarioKit

/// A scenario that repeats the recorded session of a journal. Source: docs/refresh-probe.md,
/// "Scenarios from journals".
package struct JournalScenario: Hashable, Sendable {
    /// The text of the scenario, a file of the scenario language.
    package let text: String
    /// The number of client frames that the scenario sends.
    package let frames: Int
    /// The number of steps that expect something of the server.
    package let expectations: Int
    /// The duration of the recording in seconds.
    package let seconds: Double

    /// Reads the journal at `path`. The client authenticates with `token`, if it is not nil.
    ///
    /// - Throws: if the file cannot be read, is not a journal or is damaged, or if a scenario
    ///   cannot repeat the session.
    package init(path: String, token: String? = nil) throws(JournalUnusable) {
        self = try JournalReader.withJournal(path) {
            try Self(script: try ReplayScript($0, $1, token: token))
        }
    }

    /// Reads the journal with these bytes.
    package init(_ bytes: [UInt8], token: String? = nil) throws {
        self = try JournalReader.withJournal(bytes) {
            try Self(script: try ReplayScript($0, $1, token: token))
        }
    }

    private init(script: ReplayScript) throws {
        if let damage = script.damage {
            throw JournalUnusable("is damaged: line \(damage.line) \(damage.reason)")
        }
        guard !script.clientFrames.isEmpty else {
            throw JournalUnusable("has no frame of a client, so there is nothing to repeat")
        }
        var writer = ScenarioWriter(script)
        try writer.write()
        text = writer.text
        frames = script.clientFrames.count
        expectations = writer.expectations
        seconds = Double(script.end.microseconds - script.header.at.microseconds) / 1_000_000
        do {
            _ = try ScenarioParser.parse(text, name: "scenario")
        } catch {
            // The bounds of the language are the only part that a journal can violate.
            throw JournalUnusable(
                "is too long for a scenario: expected \(error.expected), found \(error.found)")
        }
    }
}

/// Writes the steps of a scenario. Each frame of the client is sent after the recorded time, and
/// after the server's messages that were recorded before it.
struct ScenarioWriter {
    private let script: ReplayScript
    private let names: ExpectedMessage.Names
    private var sent: SentMessages
    private var finalStates = FinalStates()
    private var lines: [String] = []
    private(set) var expectations = 0
    /// The server's messages since the last step that sends, with their times in milliseconds.
    private var pending: [(message: ExpectedMessage, at: Double)] = []
    private var pendingClose: (code: Int?, at: Double)?
    /// The time of the recording that the steps so far have reached, in milliseconds.
    private var clock: Double
    private var gestures = 0
    private var wroteFinalStates = false
    /// Whether the server has closed the connection, and the client has not come back.
    private var isClosed = false
    /// Whether the client has sent `bye`.
    private var hasLeft = false

    init(_ script: ReplayScript) {
        self.script = script
        names = Self.usedNames(in: script)
        sent = SentMessages(names)
        clock = script.frames.first.map { $0.at * 1000 } ?? 0
    }

    /// The times that an expectation may take beyond its recorded time, in milliseconds.
    private static let spareMs = 5_000.0

    mutating func write() throws {
        let closes = Dictionary(
            script.outputs.filter { $0.subject == "close" }.map {
                ($0.frame, $0.value["code"]?.wholeNumber)
            }, uniquingKeysWith: { first, _ in first })
        let clients = Dictionary(
            script.clientFrames.map { ($0.frame, $0) }, uniquingKeysWith: { first, _ in first })
        for (index, frame) in script.frames.enumerated() {
            if let client = clients[index] {
                try writeClientFrame(client, frame)
            } else if let code = closes[index] {
                pendingClose = (code, frame.at * 1000)
            } else {
                try addServerFrame(frame)
            }
        }
        try flush()
        guard !isClosed else { return }
        if hasLeft {
            // The recording ended before the server's answer to `bye`.
            append("expect close", at: clock)
        } else {
            writeFinalStates()
        }
    }

    // MARK: The client

    private mutating func writeClientFrame(
        _ client: ReplayScript.ClientFrame, _ frame: ReplayedFrame
    ) throws {
        guard let text = client.text else {
            throw JournalUnusable(
                "line \(frame.line ?? 0) is a binary frame, which a scenario cannot send")
        }
        try flush()
        // The server does not read what arrives after its close frame.
        guard !isClosed || client.lostAt != nil else { return }
        let messages = (try? JSONValue(parsing: text)).map { $0.array ?? [$0] } ?? []
        if let lostAt = client.lostAt {
            isClosed = false
            try wait(until: lostAt.milliseconds(since: script.header.at))
            lines += ["", "# reconnect", "drop"]
            try wait(until: frame.at * 1000)
            lines += sent.resumption(text)
            return
        }
        if messages.contains(where: { $0["type"]?.string == "bye" }) {
            writeFinalStates()
            hasLeft = true
        }
        try wait(until: frame.at * 1000, before: phase(of: messages))
        lines.append(sent.step(for: text))
        for message in messages where message["type"]?.string == "detach" {
            finalStates.remove(message["view"]?.string ?? "")
        }
    }

    /// Returns the name of the phase that a frame of the client begins. Nil if the frame continues
    /// the current phase.
    private mutating func phase(of messages: [JSONValue]) -> String? {
        for message in messages {
            let type = message["type"]?.string ?? ""
            let view = ScenarioText.line(message["view"]?.string ?? "")
            switch type {
            case "hello": return "connect"
            case "bye": return "leave"
            case "attach", "detach", "refresh", "loadMore", "retry", "configure", "reset":
                return "\(type) \(view)"
            case "scroll", "pan":
                guard message["phase"]?.string == "began" else { continue }
                gestures += 1
                return "gesture \(gestures) on \(view)"
            default: continue
            }
        }
        return lines.isEmpty ? "begin" : nil
    }

    /// Lets the time pass until this moment of the recording, in milliseconds.
    private mutating func wait(until moment: Double, before phase: String? = nil) throws {
        if let phase {
            if !lines.isEmpty { lines.append("") }
            lines.append("# \(phase)")
        }
        let ms = (moment - clock).rounded()
        guard ms >= 1 else { return }
        guard ms <= ScenarioBounds.timeMsMax else {
            throw JournalUnusable("has a pause of more than an hour, which a scenario cannot make")
        }
        lines.append("wait \(ScenarioText.time(Int(ms)))")
        clock += ms
    }

    // MARK: The server

    private mutating func addServerFrame(_ frame: ReplayedFrame) throws {
        guard let value = try? JSONValue(parsing: frame.text) else { return }
        for message in value.array ?? [value] {
            if let reason = Self.unrepeatable(message) {
                throw JournalUnusable(
                    "line \(frame.line ?? 0) needs something that a scenario cannot cause on a "
                        + "server: \(reason)")
            }
            finalStates.update(from: message)
            guard let expected = ExpectedMessage(message, names) else { continue }
            pending.append((expected, frame.at * 1000))
        }
    }

    /// Returns the event outside of the session that caused a message. Nil if there is none.
    private static func unrepeatable(_ message: JSONValue) -> String? {
        if message["code"]?.string == "draining" { return "a daemon that stops soon" }
        let causes = ExpectedMessage.edges.compactMap { message[$0]?["cause"]?.string }
        if message["newer"] == .bool(true) || causes.contains("changed")
            || message["cause"]?.string == "changed"
        {
            return "a reported change of a feed"
        }
        return nil
    }

    /// Writes the expectations of the server's messages since the last frame of the client. The
    /// messages of one view have a fixed order, those of several views do not.
    private mutating func flush() throws {
        let views = Set(pending.map(\.message.view).filter { !$0.isEmpty })
        if views.count > 1, let last = pending.last {
            let texts = pending.map(\.message.text)
            append("expect " + texts.joined(separator: "\n  and "), at: last.at)
        } else {
            for (message, at) in pending { append("expect \(message.text)", at: at) }
        }
        pending = []
        if let (code, at) = pendingClose {
            append("expect close" + (code.map { " \($0)" } ?? ""), at: at)
            pendingClose = nil
            isClosed = true
        }
    }

    /// Appends an expectation of something that was recorded at this time. If the recorded wait is
    /// long, the expectation allows more than the usual time.
    private mutating func append(_ expectation: String, at moment: Double) {
        let recorded = max(0, moment - clock)
        let allowed = min(2 * recorded + Self.spareMs, ScenarioBounds.timeMsMax)
        let seconds = Int((allowed / 1000).rounded(.up))
        lines.append(
            expectation
                + (recorded > Self.spareMs / 2
                    ? " within \(ScenarioText.time(seconds * 1000))" : "")
        )
        expectations += 1
        clock = max(clock, moment)
    }

    private mutating func writeFinalStates() {
        guard !wroteFinalStates else { return }
        wroteFinalStates = true
        let states = finalStates.expectations
        if !states.isEmpty { lines += ["", "# the state at the end"] + states }
        expectations += states.count
    }

    // MARK: The text

    /// The whole scenario.
    var text: String {
        let hello = script.clientFrames.lazy.compactMap(\.text)
            .compactMap { try? JSONValue(parsing: $0) }.map { $0.array?.first ?? $0 }
            .first { $0["type"]?.string == "hello" }
        let client = ScenarioText.line(hello?["client"]?.string ?? "")
        let count = script.clientFrames.count
        let durationMs = script.end.milliseconds(since: script.header.at)
        // Repeating the session takes about as long as the recording.
        let limitMs = min(2 * durationMs + 60_000, ScenarioBounds.timeMsMax)
        let head = [
            "description: The recorded session of the client \(client.isEmpty ? "?" : client), "
                + "with \(count) \(count == 1 ? "frame" : "frames").",
            "expectation: The server answers as on \(ScenarioText.line(script.header.started)).",
        ]
        let limit =
            limitMs > ScenarioBounds.playMs
            ? ["limit: \(ScenarioText.time(Int(limitMs / 1000) * 1000))"] : []
        return (head + limit + [""] + lines).joined(separator: "\n") + "\n"
    }

    /// Returns the identifiers that the server has chosen, each with its view.
    private static func chosenNames(
        in script: ReplayScript
    ) -> (loads: Set<[String]>, generations: Set<[String]>) {
        var loads: Set<[String]> = []
        var generations: Set<[String]> = []
        for frame in script.frames where frame.side == .daemon {
            guard let value = try? JSONValue(parsing: frame.text) else { continue }
            for message in value.array ?? [value] {
                let view = message["view"]?.string ?? ""
                let isExpected = ExpectedMessage(message, ExpectedMessage.Names()) != nil
                if isExpected, let load = message["load"]?.string { loads.insert([view, load]) }
                if message["type"]?.string == "attached",
                    let generation = message["generation"]?.text
                {
                    generations.insert([view, generation])
                }
            }
        }
        return (loads, generations)
    }

    /// Returns variables for the identifiers that the server chooses and the client uses.
    private static func usedNames(in script: ReplayScript) -> ExpectedMessage.Names {
        var names = ExpectedMessage.Names()
        let chosen = chosenNames(in: script)
        for frame in script.clientFrames {
            guard let text = frame.text, let value = try? JSONValue(parsing: text) else { continue }
            for message in value.array ?? [value] {
                let view = message["view"]?.string ?? ""
                if let load = message["load"]?.string, names.loads[[view, load]] == nil,
                    chosen.loads.contains([view, load])
                {
                    names.loads[[view, load]] = "load\(names.loads.count + 1)"
                }
                if let generation = message["generation"]?.text,
                    names.generations[[view, generation]] == nil,
                    chosen.generations.contains([view, generation])
                {
                    names.generations[[view, generation]] =
                        "generation\(names.generations.count + 1)"
                }
            }
        }
        return names
    }
}
