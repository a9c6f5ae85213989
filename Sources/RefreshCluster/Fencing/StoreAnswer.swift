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

    /// Reads an entry. `StoredHead` has the bound of its bytes.
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
