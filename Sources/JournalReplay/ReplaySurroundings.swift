internal import RefreshProtocol
internal import RefreshServer
internal import RefreshSession
internal import ScenarioKit

/// Keeps the frames around the first difference of an in-process replay: the last frames before the
/// difference, and the first frames after it.
struct ReplaySurroundings {
    /// The frames of one side: of the recording or of the replay.
    private struct Side {
        var frames: [ReplayedFrame] = []
        /// The number of frames kept after the difference. -1 if the differing frame itself has not
        /// been appended yet.
        var countAfterDifference = 0
    }

    /// The last frame that the client sent before the difference.
    private(set) var lastClientFrame: ReplayedFrame?

    /// The maximum number of frames kept before the difference, and the same number after it.
    private let count: Int
    private let began: Instant
    private var hasDiffered = false
    private var recorded = Side()
    private var replayed = Side()

    init(count: Int, began: Instant) {
        self.count = count
        self.began = began
    }

    /// The frames to show.
    var context: ReplayContext {
        ReplayContext(recorded: recorded.frames, replayed: replayed.frames)
    }

    /// Whether each side has `count` frames after the difference.
    var isFull: Bool {
        replayed.countAfterDifference >= count && recorded.countAfterDifference >= count
    }

    func seconds(at now: Instant) -> Double {
        Double(now.microseconds - began.microseconds) / 1_000_000
    }

    /// Records a frame that the client sent. The frame belongs to the recording and to the replay.
    mutating func recordInput(_ input: SessionInput, line: Int, at now: Instant) {
        guard case .frame(let bytes) = input else { return }
        let frame = ReplayedFrame(
            side: .client, line: line, at: seconds(at: now),
            text: String(decoding: bytes, as: UTF8.self))
        lastClientFrame = hasDiffered ? lastClientFrame : frame
        append(frame, to: &recorded)
        append(frame, to: &replayed)
    }

    /// Records an output that is equal in the recording and in the replay.
    mutating func recordMatch(_ output: JournalOutput, line: Int, at now: Instant) {
        guard case .frame(let bytes) = output else { return }
        var frame = ReplayedFrame(
            side: .daemon, line: line, at: seconds(at: now),
            text: String(decoding: bytes, as: UTF8.self))
        append(frame, to: &recorded)
        frame.line = nil
        append(frame, to: &replayed)
    }

    /// Records the difference. After the difference, the recording and the replay have different
    /// frames.
    mutating func recordDifference(
        _ recorded: JournalLine, line: Int, _ replayed: JournalLine?, at now: Instant
    ) {
        hasDiffered = true
        if let replayed {
            var frame = self.frame(replayed, line: nil, at: now)
            frame.differs = true
            self.replayed.frames.append(frame)
        }
        // `JournalReader` has not advanced past the line `recorded`. If this line is an output,
        // `appendRecorded` receives it next. If it is not an output, it contains no frame.
        if case .output = recorded { self.recorded.countAfterDifference = -1 }
    }

    /// Records an output that the journal contains at the difference or after it. If the line that
    /// differs is an output, this method must receive that line first.
    mutating func appendRecorded(_ line: JournalLine, _ number: Int, at now: Instant) {
        var frame = self.frame(line, line: number, at: now)
        if recorded.countAfterDifference < 0 {
            frame.differs = true
            recorded.countAfterDifference = 0
            recorded.frames.append(frame)
        } else if case .output(.frame) = line {
            append(frame, to: &recorded)
        }
    }

    /// Records an output that the replayed session has after the difference.
    mutating func appendReplayed(_ line: JournalLine, at now: Instant) {
        guard case .output(.frame) = line else { return }
        append(frame(line, line: nil, at: now), to: &replayed)
    }

    private func frame(_ line: JournalLine, line number: Int?, at now: Instant) -> ReplayedFrame {
        var text = line.text
        if case .output(.frame(let bytes)) = line { text = String(decoding: bytes, as: UTF8.self) }
        return ReplayedFrame(side: .daemon, line: number, at: seconds(at: now), text: text)
    }

    private func append(_ frame: ReplayedFrame, to side: inout Side) {
        guard hasDiffered else {
            side.frames.append(frame)
            if side.frames.count > count { side.frames.removeFirst() }
            return
        }
        guard side.countAfterDifference < count else { return }
        side.countAfterDifference += 1
        side.frames.append(frame)
    }
}
