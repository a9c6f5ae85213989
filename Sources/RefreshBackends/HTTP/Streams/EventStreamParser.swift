internal import RefreshBroker

/// A parser of the format `text/event-stream`. The bytes may be divided anywhere. Source: HTML
/// standard, "Server-sent events", "Interpreting an event stream".
struct EventStreamParser: Hashable, Sendable {
    /// A line or the data of an event has more bytes than allowed.
    struct Overflow: Error, Hashable {}

    /// The maximum number of bytes of a line, and of the data of an event.
    static let bytesMax = ItemChange.bytesMax
    /// The maximum number of bytes of an identity. The daemon sends it in a header.
    static let idBytesMax = 1024
    static let retryRange = 1000...60_000

    /// The identity of the last event; empty if there is none.
    private(set) var lastID: [UInt8] = []
    /// The time in milliseconds before a new connection, if the stream has stated it.
    private(set) var retryMs: Int?

    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var nextID: [UInt8] = []
    private var followsCarriageReturn = false
    private var isAtStart = true

    /// Begins to read another stream, which continues after the event `lastID`.
    init(after lastID: [UInt8] = [], retryMs: Int? = nil) {
        self.lastID = lastID
        self.retryMs = retryMs
        nextID = lastID
    }

    /// Reads the next bytes. Appends the data of each complete event. After `Overflow`, the stream
    /// must be closed.
    mutating func read(_ bytes: Span<UInt8>, into events: inout [[UInt8]]) throws(Overflow) {
        for index in bytes.indices {
            let byte = bytes[index]
            defer { followsCarriageReturn = byte == 0x0D }
            if byte == 0x0A, followsCarriageReturn { continue }
            guard byte == 0x0A || byte == 0x0D else {
                guard line.count < Self.bytesMax else { throw Overflow() }
                line.append(byte)
                continue
            }
            if isAtStart {
                isAtStart = false
                if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
            }
            if line.isEmpty { endEvent(into: &events) } else { try endLine() }
            line.removeAll(keepingCapacity: true)
        }
    }

    private mutating func endEvent(into events: inout [[UInt8]]) {
        lastID = nextID
        guard hasData else { return }
        events.append(data)
        data = []
        hasData = false
    }

    private mutating func endLine() throws(Overflow) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "data":
            let separator = hasData ? 1 : 0
            guard data.count + separator + value.count <= Self.bytesMax else { throw Overflow() }
            if hasData { data.append(0x0A) }
            data += value
            hasData = true
        case "id":
            guard !value.contains(0) else { break }
            // An identity that no header can contain is the same as none: the next connection may
            // then have missed events. The value of a header has no spaces at its ends.
            let space = UInt8(ascii: " ")
            let fits =
                value.count <= Self.idBytesMax && value.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
                && value.first != space && value.last != space
            nextID = fits ? Array(value) : []
        case "retry":
            let isNumber = value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !value.isEmpty, isNumber else { break }
            let number = Int(String(decoding: value, as: UTF8.self)) ?? .max
            retryMs = min(max(number, Self.retryRange.lowerBound), Self.retryRange.upperBound)
        default: break
        }
    }
}
