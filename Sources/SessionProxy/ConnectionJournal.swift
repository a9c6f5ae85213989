internal import RefreshProtocol
internal import RefreshServer
internal import RefreshSession

/// Writes the journal of one connection that passes through the recorder. Source: docs/journal.md,
/// "Recorded connections".
///
/// The header names the session, so it is written when the server's `welcome` has arrived. Until
/// then, the lines wait.
struct ConnectionJournal {
    private let file: JournalFile
    private let recorder: JournalRecorder
    /// Whether credentials are recorded as they are.
    private let keepsTokens: Bool
    private let began: Int64
    /// The lines that wait for the header; nil after the header was written.
    private var waiting: [JournalLine]? = []
    private var waitingBytes = 0
    /// What is added to this machine's clock to get the clock of the server, in microseconds.
    private var clockOffset: Int64 = 0
    private var inputs = 0
    private var outputs = 0

    /// If more bytes wait, the header is written without the values of `welcome`.
    private static let waitingBytesMax = 1_048_576

    /// `began` is the time at which the connection was accepted, in microseconds of this machine's
    /// monotonic clock, as all other times.
    init(
        _ file: JournalFile, recorder: JournalRecorder, keepsTokens: Bool, began: Int64
    ) {
        self.file = file
        self.recorder = recorder
        self.keepsTokens = keepsTokens
        self.began = began
    }

    mutating func recordClientFrame(_ bytes: [UInt8], isBinary: Bool, at time: Int64) {
        inputs += 1
        let frame = keepsTokens || isBinary ? bytes : JournalMask.masked(bytes)
        write(.input(at: instant(time), isBinary ? .binary : .frame(frame)), bytes.count)
    }

    /// Records a text frame of the server.
    mutating func recordServerFrame(_ bytes: [UInt8], at time: Int64) {
        if waiting != nil, let welcome = Self.welcome(in: bytes) {
            begin(with: welcome, at: time)
        }
        outputs += 1
        let frame = keepsTokens ? bytes : JournalMask.maskedServerFrame(bytes)
        write(.observed(at: instant(time), .frame(frame)), bytes.count)
    }

    mutating func recordServerClose(code: UInt16, reason: String, at time: Int64) {
        outputs += 1
        write(.observed(at: instant(time), .close(code: code, reason: reason)), reason.utf8.count)
    }

    /// Ends the journal, because the connection has ended.
    mutating func end(at time: Int64) {
        inputs += 1
        write(.input(at: instant(time), .closed), 0)
        if waiting != nil { begin(with: nil, at: time) }
        append(.end(inputs: inputs, outputs: outputs))
        file.close()
    }

    private func instant(_ time: Int64) -> Instant { Instant(microseconds: time + clockOffset) }

    private mutating func write(_ line: JournalLine, _ bytes: Int) {
        guard waiting != nil else { return append(line) }
        waiting?.append(line)
        waitingBytes += bytes
        if waitingBytes > Self.waitingBytesMax { begin(with: nil, at: began) }
    }

    /// Writes the header, with the values of `welcome` if there is one, and the waiting lines.
    private mutating func begin(with welcome: JSONValue?, at time: Int64) {
        let lines = waiting ?? []
        waiting = nil
        if let server = welcome?["time"]?.number, abs(server) < Self.timeMaxMs {
            clockOffset = Int64((server * 1000).rounded()) - time
        }
        append(.header(header(welcome)))
        for line in lines { append(shifted(line)) }
    }

    /// Times beyond this are not valid in a journal, in milliseconds.
    private static let timeMaxMs = Double(1 << 52) / 1000

    /// Returns the line with its time by the server's clock.
    private func shifted(_ line: JournalLine) -> JournalLine {
        switch line {
        case .input(let at, let input): .input(at: instant(at.microseconds), input)
        case .observed(let at, let output): .observed(at: instant(at.microseconds), output)
        case .header, .output, .end: line
        }
    }

    private func header(_ welcome: JSONValue?) -> JournalHeader {
        var limits = Limits()
        for entry in Limits.recorded {
            let number = welcome?["limits"]?[entry.name]?.number
            guard let value = number.flatMap({ Int(exactly: $0) }), entry.range.contains(value)
            else { continue }
            limits[keyPath: entry.path] = value
        }
        let server = welcome?["server"]?.string ?? "unknown"
        let own = "refreshd/"
        return JournalHeader(
            server: server.hasPrefix(own) ? String(server.dropFirst(own.count)) : server,
            started: file.started, at: instant(began),
            session: welcome?["session"]?.string ?? "connection-\(recorder.connection)",
            key: SessionKey(loop: 0, slot: 0, generation: UInt32(clamping: recorder.connection)),
            limits: limits,
            feeds: (welcome?["feeds"]?.array ?? []).compactMap(\.string).map {
                FeedDescription(name: $0)
            },
            recorder: recorder)
    }

    private func append(_ line: JournalLine) {
        var bytes = ByteBuffer(capacity: 256)
        line.write(to: &bytes)
        file.append(bytes.bytes)
    }

    /// Returns the `welcome` in a frame of the server; nil if there is none.
    private static func welcome(in frame: [UInt8]) -> JSONValue? {
        guard let value = try? JSONValue(parsing: frame) else { return nil }
        return (value.array ?? [value]).first { $0["type"]?.string == "welcome" }
    }
}
