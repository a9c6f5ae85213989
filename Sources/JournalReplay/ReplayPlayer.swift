internal import RefreshProtocol
internal import RefreshServer
internal import RefreshSession
internal import ScenarioKit
internal import WebSocketTransport

/// One replay of a journal over a connection. It is used from one task.
final class ReplayPlayer {
    /// The interval between progress reports, in milliseconds.
    private static let progressIntervalMs = 100.0

    private let script: ReplayScript
    private let line: any ReplayLine
    private let pace: SocketReplay.Pace
    private let timeoutMs: Double
    private let context: Int
    private let progress: (@Sendable (ReplayProgress) -> Void)?
    /// The time of the last progress report.
    private var lastProgressMs = -ReplayPlayer.progressIntervalMs
    /// The time at which the first connection was established, in microseconds of the clock of
    /// `line`.
    private let began: Int64

    private(set) var comparison: OutputComparison
    /// The number of client frames that were sent.
    private(set) var sent = 0
    /// The first difference from the recording.
    private(set) var difference: ReplayDifference?
    /// The credentials with which the client resumes its session.
    private var credentials = ReplayCredentials()
    /// The frames sent and received, in order.
    private var exchangedFrames: [ReplayedFrame] = []
    /// Whether the server has closed the connection.
    private var isClosed = false
    /// The times of the last frame that the client sent: its time in the journal, and its time in
    /// this replay.
    private var lastSentAt: Instant
    private var lastSentMs = 0.0

    init(
        _ script: ReplayScript, over line: any ReplayLine, pace: SocketReplay.Pace,
        timeoutMs: Double, context: Int, progress: (@Sendable (ReplayProgress) -> Void)?
    ) {
        self.script = script
        self.line = line
        began = line.nowMicroseconds
        self.pace = pace
        self.timeoutMs = timeoutMs
        self.context = context
        self.progress = progress
        comparison = OutputComparison(script.outputs)
        lastSentAt = script.clientFrames.first?.at ?? script.header.at
    }

    /// Whether the server has sent a frame or closed the connection.
    var wasAnswered: Bool { isClosed || exchangedFrames.contains { $0.side == .daemon } }

    /// Replays the journal to its end or to the first difference.
    func play() async throws(SocketReplay.Unreachable) {
        for clientFrame in script.clientFrames {
            await receive(
                until: dueMs(for: clientFrame.lostAt ?? clientFrame.at),
                awaitingOutputsBefore: clientFrame.outputsBefore)
            guard difference == nil, !isClosed || clientFrame.lostAt != nil else { break }
            if clientFrame.lostAt != nil {
                await line.cut()
                isClosed = false
                await receive(until: dueMs(for: clientFrame.at), awaitingOutputsBefore: 0)
                try await line.openConnection()
            }
            await send(clientFrame)
        }
        await receive(
            until: dueMs(for: script.lostAt ?? script.end),
            awaitingOutputsBefore: script.outputs.count)
        if difference != nil { await collectFramesAfterDifference() }
    }

    /// Milliseconds since the first connection was established.
    private var elapsedMs: Double {
        Double(line.nowMicroseconds - began) / 1000
    }

    /// Seconds since the first connection was established, with microsecond resolution.
    private var seconds: Double {
        Double(line.nowMicroseconds - began) / 1_000_000
    }

    /// Returns the time in this replay at which an event of the journal is due. At a recorded pace,
    /// the delay after the client's last frame is the recorded delay divided by the speed. At the
    /// pace `answers`, each event is due at once.
    private func dueMs(for at: Instant) -> Double {
        switch pace {
        case .answers: lastSentMs
        case .recorded(let speed): lastSentMs + max(0, at.milliseconds(since: lastSentAt)) / speed
        }
    }

    /// Receives frames until `due`, and until the first `count` recorded outputs have arrived. If
    /// an output does not arrive within `timeoutMs`, its absence is recorded as a difference.
    private func receive(until due: Double, awaitingOutputsBefore count: Int) async {
        let limit = max(due, elapsedMs) + timeoutMs
        while difference == nil {
            let missing = comparison.missing(before: count)
            if let missing, isClosed || elapsedMs >= limit {
                recordDifference(recorded: missing, got: nil, missing.differenceIfMissing)
                return
            }
            let rest = (missing == nil ? due : limit) - elapsedMs
            reportProgress()
            // A short timeout keeps the progress display up to date.
            let waitMs = progress == nil ? rest : min(rest, Self.progressIntervalMs)
            // Frames that have already arrived are processed before the next frame is sent.
            guard
                await receiveEvent(within: max(0, waitMs)) || missing != nil
                    || (waitMs < rest && !isClosed)
            else { return }
        }
    }

    private func reportProgress() {
        guard let progress, elapsedMs - lastProgressMs >= Self.progressIntervalMs else { return }
        lastProgressMs = elapsedMs
        progress(ReplayProgress(sent: sent, frames: script.clientFrames.count, seconds: seconds))
    }

    /// Processes the next event. Returns false if there was none, or if the connection was already
    /// closed.
    private func receiveEvent(within ms: Double) async -> Bool {
        guard !isClosed else { return false }
        switch await line.receive(within: .microseconds(Int64(ms * 1000))) {
        case .timedOut: return false
        case .message(let bytes, let isBinary):
            let text = isBinary ? "(a binary frame)" : String(decoding: bytes, as: UTF8.self)
            credentials.update(from: text)
            handleOutputs(ServerOutput.all(in: text, number: exchangedFrames.count), in: text)
        case .closed(let code, let reason):
            isClosed = true
            // Code 1005 means a close without a code. Code 1006 means that the connection ended
            // without a close frame.
            let known = (1005...1006).contains(code) ? nil : code
            handleOutputs(
                [.connectionClose(known, number: exchangedFrames.count)],
                in: ReplayScript.closeDescription(known, reason))
        }
        return true
    }

    private func handleOutputs(_ outputs: [ServerOutput], in text: String) {
        exchangedFrames.append(
            ReplayedFrame(side: .daemon, line: nil, at: seconds, text: text))
        for output in outputs where difference == nil {
            guard let mismatch = comparison.compare(output) else { continue }
            recordDifference(recorded: mismatch.recorded, got: output, mismatch.field)
        }
    }

    private func send(_ clientFrame: ReplayScript.ClientFrame) async {
        var frame = script.frames[clientFrame.frame]
        frame.at = seconds
        if let text = clientFrame.text {
            frame.text = textWithCurrentNames(text)
            await line.send(frame.text)
        } else {
            await line.send(nil)
        }
        exchangedFrames.append(frame)
        sent += 1
        lastSentAt = clientFrame.at
        lastSentMs = elapsedMs
    }

    /// Returns the client's frame with names of loads, generation numbers and credentials that are
    /// valid on the server of this replay. They replace the recorded ones.
    private func textWithCurrentNames(_ text: String) -> String {
        guard ["\"load\"", "\"generation\"", "\"resume\""].contains(where: text.contains),
            let value = try? JSONValue(parsing: text)
        else { return text }
        let messages = (value.array ?? [value]).map { message in
            var message = message
            let view = message["view"]?.string ?? ""
            if let then = message["load"]?.string, let now = comparison.currentLoad(then, of: view)
            {
                message["load"] = .string(now)
            }
            if let then = message["generation"]?.number,
                let now = comparison.currentGeneration(then, of: view)
            {
                message["generation"] = .number(now)
            }
            if message["type"]?.string == "hello", let then = message["resume"] {
                message["resume"] = credentials.resumeWithCurrentCredentials(then) {
                    comparison.currentLoad($0)
                }
            }
            return message
        }
        guard messages != value.array ?? [value] else { return text }
        return value.array == nil ? messages[0].text : JSONValue.array(messages).text
    }

    // MARK: The first difference

    private func recordDifference(
        recorded: ServerOutput?, got: ServerOutput?, _ field: JSONDifference
    ) {
        let then = recorded.map { script.frames[$0.frame] }
        let now = got.map { exchangedFrames[$0.frame] }
        let lastSent = script.frames[..<(recorded?.frame ?? recordedPosition)].last {
            $0.side == .client
        }
        difference = ReplayDifference(
            line: then?.line, at: then?.at ?? now?.at ?? 0, cause: lastSent, recorded: then?.text,
            replayed: now?.text, field: field,
            context: ReplayContext(
                recorded: contextFrames(
                    around: recorded?.frame, in: script.frames[...], before: recordedPosition),
                replayed: contextFrames(
                    around: got?.frame, in: exchangedFrames[...], before: exchangedFrames.count)))
    }

    /// The position in the recorded frames: the index after the last frame that the client has
    /// sent.
    private var recordedPosition: Int { sent == 0 ? 0 : script.clientFrames[sent - 1].frame + 1 }

    /// Returns the frames around `frame`. If `frame` is nil, returns the last frames before `end`.
    private func contextFrames(
        around frame: Int?, in frames: ArraySlice<ReplayedFrame>, before end: Int
    ) -> [ReplayedFrame] {
        guard let frame else { return Array(frames[..<end].suffix(context)) }
        var shown = frames[max(0, frame - context)..<min(frames.count, frame + context + 1)]
        shown[frame].differs = true
        return Array(shown)
    }

    /// Continues briefly after the difference to collect the frames that follow it.
    private func collectFramesAfterDifference() async {
        guard var finished = difference else { return }
        let first = exchangedFrames.count
        let frameCount = finished.context.replayed.last?.differs == true ? context : 0
        let limit = elapsedMs + min(timeoutMs, 1000)
        while exchangedFrames.count - first < frameCount, elapsedMs < limit, !isClosed {
            let next = sent < script.clientFrames.count ? script.clientFrames[sent] : nil
            let rest = min(limit, next.map { dueMs(for: $0.at) } ?? limit) - elapsedMs
            if await !receiveEvent(within: max(0, rest)), let next, elapsedMs < limit {
                await send(next)
            }
        }
        finished.context.replayed += exchangedFrames[first...].prefix(frameCount)
        difference = finished
    }
}

extension ServerOutput {
    /// The difference that is reported if this recorded output does not arrive.
    var differenceIfMissing: JSONDifference {
        JSONDifference(path: path, expected: value, got: nil)
    }
}

/// The progress of a replay over a socket.
package struct ReplayProgress: Hashable, Sendable {
    /// The number of client frames that were sent, and the total number of client frames.
    package var sent: Int
    package var frames: Int
    /// Seconds since the first connection was established.
    package var seconds: Double

    package var text: String {
        "\(sent) of \(frames) \(frames == 1 ? "frame" : "frames"), \(Int(seconds)) s"
    }
}
