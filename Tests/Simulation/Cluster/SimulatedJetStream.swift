import RefreshCluster
import RefreshProtocol

/// JetStream with one bucket, in memory. It handles each message at once. Entries do not expire,
/// because a world is shorter than their lifetime.
struct SimulatedJetStream {
    private struct Entry {
        var revision: UInt64
        var bytes: [UInt8]
    }

    /// The error codes of JetStream.
    private enum Code {
        static let unavailable = 10_008
        static let noMessageFound = 10_037
        static let streamNotFound = 10_059
        static let wrongLastSequence = 10_071
        static let replicasNotSupported = 10_074
    }

    /// The most replicas that the servers can hold.
    let replicasMax: Int
    /// By subject.
    private var entries: [String: Entry] = [:]
    private var lastRevision: UInt64 = 0
    /// Identifies the bucket. Nil if there is none.
    private var bucket: Int?
    private var buckets = 0

    init(replicasMax: Int) { self.replicasMax = replicasMax }

    /// The answer of a server whose JetStream has no leader.
    static var unavailable: [UInt8] { error(Code.unavailable) }

    /// Loses the bucket with everything in it.
    mutating func restartEmpty() {
        loseEntries()
        bucket = nil
    }

    /// Loses the entries, and keeps the bucket.
    mutating func loseEntries() {
        entries = [:]
        lastRevision = 0
    }

    /// Handles a message of a node. Returns the answer; nil if there is none.
    mutating func handle(_ message: HeadStore.Message) -> [UInt8]? {
        if message.expectedRevision != nil { return write(message) }
        guard let verb = Self.verb(of: message.subject) else { return nil }
        let request = try? JSONValue(parsing: message.bytes)
        switch verb {
        case "INFO": return state
        case "CREATE":
            guard let replicas = request?["num_replicas"]?.number else { return nil }
            guard Int(replicas) <= replicasMax else {
                return Self.error(Code.replicasNotSupported)
            }
            if bucket == nil {
                buckets += 1
                bucket = buckets
            }
            return state
        default:
            guard bucket != nil else { return Self.error(Code.streamNotFound) }
            return request.map(read)
        }
    }

    /// `$JS.API.STREAM.VERB.BUCKET`
    private static func verb(of subject: String) -> Substring? {
        let prefix = "$JS.API.STREAM."
        guard subject.hasPrefix(prefix) else { return nil }
        return subject.dropFirst(prefix.count).prefix { $0 != "." }
    }

    /// Writes an entry, if its revision is as expected. Without a bucket nothing receives the
    /// write, and the server itself answers with an empty message.
    private mutating func write(_ message: HeadStore.Message) -> [UInt8] {
        guard bucket != nil else { return [] }
        guard message.expectedRevision == entries[message.subject]?.revision ?? 0 else {
            return Self.error(Code.wrongLastSequence)
        }
        lastRevision += 1
        entries[message.subject] = Entry(revision: lastRevision, bytes: message.bytes)
        return Array(#"{"stream":"KV","seq":\#(lastRevision)}"#.utf8)
    }

    private func read(_ request: JSONValue) -> [UInt8] {
        if let subject = request["last_by_subj"]?.string {
            guard let entry = entries[subject] else { return Self.error(Code.noMessageFound) }
            return Self.message(entry, subject)
        }
        let revision = request["seq"]?.number ?? 0
        let later = entries.filter { Double($0.value.revision) >= revision }
        guard let first = later.min(by: { $0.value.revision < $1.value.revision }) else {
            return Self.error(Code.noMessageFound)
        }
        return Self.message(first.value, first.key)
    }

    private var state: [UInt8] {
        guard let bucket else { return Self.error(Code.streamNotFound) }
        return Array(#"{"created":"\#(bucket)","state":{"last_seq":\#(lastRevision)}}"#.utf8)
    }

    private static func message(_ entry: Entry, _ subject: String) -> [UInt8] {
        Array(
            (#"{"message":{"subject":"\#(subject)","seq":\#(entry.revision),"#
                + #""data":"\#(base64(entry.bytes))"}}"#).utf8)
    }

    private static func error(_ code: Int) -> [UInt8] {
        Array(#"{"error":{"code":400,"err_code":\#(code),"description":"simulated"}}"#.utf8)
    }

    /// The bytes in base64 with padding (RFC 4648, section 4).
    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | Int($1) }
            bits <<= 8 * (3 - group.count)
            for index in 0..<4 {
                text.append(
                    index <= group.count
                        ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
