internal import RefreshProtocol
internal import RefreshServer

/// Keeps the last frames of a replay in process, and from its first difference on the next ones.
struct ReplaySurroundings {
    /// The frames of one side.
    private struct Side {
        var frames: [ReplayedFrame] = []
        /// How many stand behind the difference; -1: the one that differs is yet to come.
        var behind = 0
    }

    /// What the client said last before the difference.
    private(set) var lastSaid: ReplayedFrame?

    /// How many frames before and behind the difference are kept.
    private let count: Int
    private let began: Instant
    private var hasDiffered = false
    private var recorded = Side()
    private var replayed = Side()

    init(count: Int, began: Instant) {
        self.count = count
        self.began = began
    }

    /// What is shown.
    var context: ReplayContext {
        ReplayContext(recorded: recorded.frames, replayed: replayed.frames)
    }

    /// Whether as many frames stand behind the difference, on both sides, as are shown.
    var isFull: Bool { replayed.behind >= count && recorded.behind >= count }

    func seconds(at now: Instant) -> Double {
        Double(now.microseconds - began.microseconds) / 1_000_000
    }

    /// The client said something, in both.
    mutating func said(_ input: JournalInput, line: Int, at now: Instant) {
        guard case .frame(let bytes) = input else { return }
        let frame = ReplayedFrame(
            side: .client, line: line, at: seconds(at: now),
            text: String(decoding: bytes, as: UTF8.self))
        lastSaid = hasDiffered ? lastSaid : frame
        keep(frame, in: &recorded)
        keep(frame, in: &replayed)
    }

    /// Both said the same.
    mutating func agreed(_ output: JournalOutput, line: Int, at now: Instant) {
        guard case .frame(let bytes) = output else { return }
        var frame = ReplayedFrame(
            side: .daemon, line: line, at: seconds(at: now),
            text: String(decoding: bytes, as: UTF8.self))
        keep(frame, in: &recorded)
        frame.line = nil
        keep(frame, in: &replayed)
    }

    /// From here on each goes its own way.
    mutating func differ(
        _ recorded: JournalLine, line: Int, _ replayed: JournalLine?, at now: Instant
    ) {
        hasDiffered = true
        if let replayed {
            var frame = self.frame(replayed, line: nil, at: now)
            frame.differs = true
            self.replayed.frames.append(frame)
        }
        // The line stands before the reader still, and is given to `recordedGoesOn` next, if it is
        // an output. Another one is no frame.
        if case .output = recorded { self.recorded.behind = -1 }
    }

    /// What was recorded behind the difference; the first is what differs.
    mutating func recordedGoesOn(_ line: JournalLine, _ number: Int, at now: Instant) {
        var frame = self.frame(line, line: number, at: now)
        if recorded.behind < 0 {
            frame.differs = true
            recorded.behind = 0
            recorded.frames.append(frame)
        } else if case .output(.frame) = line {
            keep(frame, in: &recorded)
        }
    }

    /// What the session says behind the difference.
    mutating func replayedGoesOn(_ line: JournalLine, at now: Instant) {
        guard case .output(.frame) = line else { return }
        keep(frame(line, line: nil, at: now), in: &replayed)
    }

    private func frame(_ line: JournalLine, line number: Int?, at now: Instant) -> ReplayedFrame {
        var text = line.text
        if case .output(.frame(let bytes)) = line { text = String(decoding: bytes, as: UTF8.self) }
        return ReplayedFrame(side: .daemon, line: number, at: seconds(at: now), text: text)
    }

    private func keep(_ frame: ReplayedFrame, in side: inout Side) {
        guard hasDiffered else {
            side.frames.append(frame)
            if side.frames.count > count { side.frames.removeFirst() }
            return
        }
        guard side.behind < count else { return }
        side.behind += 1
        side.frames.append(frame)
    }
}
