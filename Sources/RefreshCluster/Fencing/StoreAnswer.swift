internal import RefreshBroker
internal import RefreshProtocol

/// An answer of JetStream to a request of a `HeadStore`.
enum StoreAnswer: Hashable, Sendable {
    /// The bucket exists. `created` identifies it: a bucket that was created again is another one.
    /// `revision` is that of the last write; 0 if there was none.
    case bucket(created: String, revision: UInt64)
    /// The entry with this subject. The head is nil if the entry was deleted or cannot be read.
    case entry(StoredHead?, revision: UInt64, subject: String)
    /// There is no such entry.
    case noEntry
    /// The entry was written, and has this revision.
    case written(revision: UInt64)
    /// The entry was not written, because it has another revision.
    case otherRevision
    /// The bucket does not exist.
    case noBucket
    /// No server offers JetStream, or JetStream cannot answer now. The reason is a sentence.
    case unavailable(reason: String)

    /// The maximum length of an answer in bytes. The state of a bucket lists its replicas.
    static let bytesMax = 65_536
    /// The maximum length of a reason of JetStream in bytes.
    private static let reasonBytesMax = 200
    private static let limits = JSONLimits(depthMax: 12, stringBytesMax: bytesMax)

    /// The error codes of JetStream that have a meaning here.
    private enum Code {
        /// The second code is that of newer servers, for a bucket with replicas.
        static let wrongLastSequence = 10_071
        static let wrongLastSequenceOfReplica = 10_164
        static let noMessageFound = 10_037
        static let streamNotFound = 10_059
    }

    /// Reads an answer. Returns nil if the bytes are not an answer of JetStream.
    init?(reading bytes: [UInt8]) {
        // The NATS server itself answers so if no connection receives the request.
        if bytes.isEmpty {
            self = .unavailable(reason: "The NATS server has no JetStream.")
            return
        }
        guard bytes.count <= Self.bytesMax,
            let value = try? JSONValue(parsing: bytes.span, limits: Self.limits),
            case .object = value
        else { return nil }
        if let error = value["error"], error != .null {
            self = Self.failure(error)
        } else if let message = value["message"], let entry = Self.entry(message) {
            self = entry
        } else if let created = value["created"]?.string, let state = value["state"] {
            self = .bucket(created: created, revision: Self.revision(state["last_seq"]) ?? 0)
        } else if value["stream"] != nil, let revision = Self.revision(value["seq"]) {
            self = .written(revision: revision)
        } else {
            return nil
        }
    }

    private static func failure(_ error: JSONValue) -> StoreAnswer {
        switch error["err_code"]?.number.flatMap(Int.init(exactly:)) {
        case Code.wrongLastSequence?, Code.wrongLastSequenceOfReplica?: .otherRevision
        case Code.noMessageFound?: .noEntry
        case Code.streamNotFound?: .noBucket
        default:
            .unavailable(
                reason: "JetStream refuses: \(reason(error["description"]?.string ?? "")).")
        }
    }

    private static func reason(_ text: String) -> String {
        String(decoding: text.utf8.prefix(reasonBytesMax), as: UTF8.self)
    }

    private static func entry(_ message: JSONValue) -> StoreAnswer? {
        guard let revision = revision(message["seq"]), let subject = message["subject"]?.string
        else { return nil }
        let bytes = message["data"]?.string.flatMap { Base64.bytes(of: $0) }
        return .entry(
            bytes.flatMap(StoredHead.init(reading:)), revision: revision, subject: subject)
    }

    private static func revision(_ value: JSONValue?) -> UInt64? {
        guard let value else { return nil }
        return try? MessageMembers.serial(value)
    }
}

/// The encoding base64 with padding. Source: RFC 4648, section 4.
enum Base64 {
    /// Decodes a text. Returns nil if it is not well formed, or decodes to more than
    /// `StoredHead.bytesMax` bytes.
    static func bytes(of text: String) -> [UInt8]? {
        let encoded = Array(text.utf8)
        guard encoded.count.isMultiple(of: 4), encoded.count <= StoredHead.bytesMax / 3 * 4 + 4
        else { return nil }
        let padding = encoded.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count / 4 * 3)
        var bits: UInt32 = 0
        for (index, character) in encoded.dropLast(padding).enumerated() {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            guard index % 4 == 3 else { continue }
            bytes += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
            bits = 0
        }
        // The last group has two or three characters. Its unused bits must be 0.
        switch padding {
        case 1:
            guard bits & 0x3 == 0 else { return nil }
            bytes += [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)]
        case 2:
            guard bits & 0xF == 0 else { return nil }
            bytes.append(UInt8(bits >> 4 & 0xFF))
        default: break
        }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
