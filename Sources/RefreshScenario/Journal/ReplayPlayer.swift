internal import RefreshProtocol
internal import RefreshServer
internal import WebSocketTransport

/// One replay of a journal over a connection. Used from one task.
final class ReplayPlayer {
    /// The interval between progress reports, in milliseconds.
    private static let tellEveryMs = 100.0

    private let script: ReplayScript
    private let line: any ReplayLine
    private let pace: SocketReplay.Pace
    private let patienceMs: Double
    private let context: Int
    private let progress: (@Sendable (ReplayProgress) -> Void)?
    /// The time of the last progress report.
    private var toldMs = -ReplayPlayer.tellEveryMs
    /// The time at which the connection was established, in microseconds of the line's clock.
    private let began: Int64

    private(set) var comparison: OutputComparison
    /// The number of frames sent.
    private(set) var sent = 0
    /// The first difference from the recording.
    private(set) var difference: ReplayDifference?
    /// The credentials with which the client resumes its session.
    private var credentials = ReplayCredentials()
    /// The frames sent and received, in order.
    private var heard: [ReplayedFrame] = []
    /// Whether the server has closed the connection.
    private var isOver = false
    /// When the client last sent a frame: in the journal, and in this replay.
    private var spokeAt: Instant
    private var spokeMs = 0.0

    init(
        _ script: ReplayScript, over line: any ReplayLine, pace: SocketReplay.Pace,
        patienceMs: Double, context: Int, progress: (@Sendable (ReplayProgress) -> Void)?
    ) {
        self.script = script
        self.line = line
        began = line.nowMicroseconds
        self.pace = pace
        self.patienceMs = patienceMs
        self.context = context
        self.progress = progress
        comparison = OutputComparison(script.told)
        spokeAt = script.sayings.first?.at ?? script.header.at
    }

    /// Whether the server has sent or closed anything at all.
    var wasAnswered: Bool { isOver || heard.contains { $0.side == .daemon } }

    /// Replays the journal to its end or to the first difference.
    func play() async throws(SocketReplay.Unreachable) {
        for saying in script.sayings {
            await listen(until: due(saying.lostAt ?? saying.at), havingHeard: saying.toldBefore)
            guard difference == nil, !isOver || saying.lostAt != nil else { break }
            if saying.lostAt != nil {
                await line.lose()
                isOver = false
                await listen(until: due(saying.at), havingHeard: 0)
                try await line.connectAgain()
            }
            await send(saying)
        }
        await listen(until: due(script.lostAt ?? script.end), havingHeard: script.told.count)
        if difference != nil { await goOn() }
    }

    /// Milliseconds since the connection was established.
    private var elapsedMs: Double {
        Double(line.nowMicroseconds - began) / 1000
    }

    /// The same in seconds, with microsecond resolution.
    private var seconds: Double {
        Double(line.nowMicroseconds - began) / 1_000_000
    }

    /// Returns when an event of the journal is due here. The delay since the client's last frame is
    /// the recorded one, divided by the speed.
    private func due(_ at: Instant) -> Double {
        switch pace {
        case .answers: spokeMs
        case .recorded(let speed): spokeMs + max(0, at.milliseconds(since: spokeAt)) / speed
        }
    }

    /// Receives frames until `due`, and until all outputs recorded before `count` have arrived. An
    /// output that does not arrive within the patience is a difference.
    private func listen(until due: Double, havingHeard count: Int) async {
        let limit = max(due, elapsedMs) + patienceMs
        while difference == nil {
            let missing = comparison.missing(before: count)
            if let missing, isOver || elapsedMs >= limit {
                differ(recorded: missing, got: nil, missing.expected)
                return
            }
            let rest = (missing == nil ? due : limit) - elapsedMs
            tell()
            // A short timeout keeps the progress display moving.
            let patience = progress == nil ? rest : min(rest, Self.tellEveryMs)
            // Frames that have already arrived are processed before the next one is sent.
            guard
                await hear(within: max(0, patience)) || missing != nil
                    || (patience < rest && !isOver)
            else { return }
        }
    }

    private func tell() {
        guard let progress, elapsedMs - toldMs >= Self.tellEveryMs else { return }
        toldMs = elapsedMs
        progress(ReplayProgress(sent: sent, frames: script.sayings.count, seconds: seconds))
    }

    /// Processes the next event. Returns false if there was none, or if the connection is closed.
    private func hear(within ms: Double) async -> Bool {
        guard !isOver else { return false }
        switch await line.receive(within: .microseconds(Int64(ms * 1000))) {
        case .timedOut: return false
        case .message(let bytes, let isBinary):
            let text = isBinary ? "(a binary frame)" : String(decoding: bytes, as: UTF8.self)
            credentials.note(text)
            take(ServerOutput.all(in: text, number: heard.count), in: text)
        case .closed(let code, let reason):
            isOver = true
            // 1005 stands for a close without a code, 1006 for a connection that ended without a
            // close.
            let known = (1005...1006).contains(code) ? nil : code
            take(
                [.closing(known, number: heard.count)], in: ReplayScript.closing(known, reason))
        }
        return true
    }

    private func take(_ tellings: [ServerOutput], in text: String) {
        heard.append(
            ReplayedFrame(side: .daemon, line: nil, at: seconds, text: text))
        for telling in tellings where difference == nil {
            guard let mismatch = comparison.take(telling) else { continue }
            differ(recorded: mismatch.recorded, got: telling, mismatch.field)
        }
    }

    private func send(_ saying: ReplayScript.Saying) async {
        var frame = script.frames[saying.frame]
        frame.at = seconds
        if let text = saying.text {
            frame.text = renamed(text)
            await line.say(frame.text)
        } else {
            await line.say(nil)
        }
        heard.append(frame)
        sent += 1
        spokeAt = saying.at
        spokeMs = elapsedMs
    }

    /// Returns the client's frame with the current names of loads, generations and credentials.
    private func renamed(_ text: String) -> String {
        guard ["\"load\"", "\"generation\"", "\"resume\""].contains(where: text.contains),
            let value = try? JSONValue(parsing: text)
        else { return text }
        let messages = (value.array ?? [value]).map { message in
            var message = message
            let view = message["view"]?.string ?? ""
            if let then = message["load"]?.string, let now = comparison.load(then, of: view) {
                message["load"] = .string(now)
            }
            if let then = message["generation"]?.number,
                let now = comparison.generation(then, of: view)
            {
                message["generation"] = .number(now)
            }
            if message["type"]?.string == "hello", let then = message["resume"] {
                message["resume"] = credentials.resume(then) { comparison.load($0) }
            }
            return message
        }
        guard messages != value.array ?? [value] else { return text }
        return value.array == nil ? messages[0].text : JSONValue.array(messages).text
    }

    // MARK: The first difference

    private func differ(recorded: ServerOutput?, got: ServerOutput?, _ field: JSONDifference) {
        let then = recorded.map { script.frames[$0.frame] }
        let now = got.map { heard[$0.frame] }
        let said = script.frames[..<(recorded?.frame ?? place)].last { $0.side == .client }
        difference = ReplayDifference(
            line: then?.line, at: then?.at ?? now?.at ?? 0, cause: said, recorded: then?.text,
            replayed: now?.text, field: field,
            context: ReplayContext(
                recorded: around(recorded?.frame, in: script.frames[...], before: place),
                replayed: around(got?.frame, in: heard[...], before: heard.count)))
    }

    /// The client's position in the recorded frames: after the last one it sent.
    private var place: Int { sent == 0 ? 0 : script.sayings[sent - 1].frame + 1 }

    /// Returns the frames around `frame`; if it is nil, the last ones before `end`.
    private func around(
        _ frame: Int?, in frames: ArraySlice<ReplayedFrame>, before end: Int
    ) -> [ReplayedFrame] {
        guard let frame else { return Array(frames[..<end].suffix(context)) }
        var shown = frames[max(0, frame - context)..<min(frames.count, frame + context + 1)]
        shown[frame].differs = true
        return Array(shown)
    }

    /// Continues briefly after the difference to collect the frames that follow it.
    private func goOn() async {
        guard var told = difference else { return }
        let first = heard.count
        let wanted = told.context.replayed.last?.differs == true ? context : 0
        let limit = elapsedMs + min(patienceMs, 1000)
        while heard.count - first < wanted, elapsedMs < limit, !isOver {
            let next = sent < script.sayings.count ? script.sayings[sent] : nil
            let rest = min(limit, next.map { due($0.at) } ?? limit) - elapsedMs
            if await !hear(within: max(0, rest)), let next, elapsedMs < limit { await send(next) }
        }
        told.context.replayed += heard[first...].prefix(wanted)
        difference = told
    }
}

extension ServerOutput {
    /// The difference in the case that nothing arrived in place of this output.
    var expected: JSONDifference { JSONDifference(path: path, expected: value, got: nil) }
}
