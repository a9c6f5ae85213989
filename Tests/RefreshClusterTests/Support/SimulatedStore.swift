import RefreshBroker
import RefreshProtocol

@testable import RefreshCluster

/// JetStream with one bucket, in memory. It handles each message at once.
struct SimulatedStore {
    private(set) var entries: [String: (revision: UInt64, entry: StoredHead)] = [:]
    private var lastRevision: UInt64 = 0
    private var bucket: Int?
    private var buckets = 0
    /// The most replicas that can be created.
    var replicasMax = 1

    /// Loses everything.
    mutating func restartEmpty() {
        entries = [:]
        lastRevision = 0
        bucket = nil
    }

    /// Loses the entries, and keeps the bucket.
    mutating func loseEntries() {
        entries = [:]
        lastRevision = 0
    }

    /// Removes an entry whose time has passed.
    mutating func expire(_ session: String) { entries["$KV.refreshd_web.\(session)"] = nil }

    /// Handles a message of a node. Returns the answer.
    mutating func handle(_ message: HeadStore.Message) -> String {
        let text = String(decoding: message.bytes, as: UTF8.self)
        if message.subject.contains(".INFO.") { return state }
        if message.subject.contains(".CREATE.") {
            if text.contains(#""num_replicas":3"#), replicasMax < 3 { return error(10_074) }
            buckets += 1
            bucket = buckets
            return state
        }
        guard bucket != nil else {
            return message.subject.hasPrefix("$KV") ? "" : error(10_059)
        }
        if text.contains(#""next_by_subj""#) { return next(from: text) }
        if message.subject.contains(".MSG.GET.") {
            let subject = text.dropFirst(#"{"last_by_subj":""#.count).dropLast(2)
            guard let (revision, entry) = entries[String(subject)] else { return error(10_037) }
            return Self.text(of: entry, revision, String(subject))
        }
        guard let entry = StoredHead(reading: message.bytes) else { return error(1) }
        guard message.expectedRevision == entries[message.subject]?.revision ?? 0 else {
            return error(10_071)
        }
        lastRevision += 1
        entries[message.subject] = (lastRevision, entry)
        return #"{"stream":"K","seq":\#(lastRevision)}"#
    }

    /// The entry of a session in the cluster `web`.
    func entry(of session: String) -> StoredHead? { entries["$KV.refreshd_web.\(session)"]?.entry }

    private var state: String {
        bucket.map { #"{"created":"\#($0)","state":{"last_seq":\#(lastRevision)}}"# }
            ?? error(10_059)
    }

    /// The first entry with the revision in the message or a later one.
    private func next(from text: String) -> String {
        let digits = text.dropFirst(#"{"seq":"#.count).prefix { $0.isNumber }
        let later = entries.filter { $0.value.revision >= UInt64(digits) ?? 0 }
        guard let (subject, entry) = later.min(by: { $0.value.revision < $1.value.revision })
        else { return error(10_037) }
        return Self.text(of: entry.entry, entry.revision, subject)
    }

    private static func text(
        of entry: StoredHead, _ revision: UInt64, _ subject: String
    ) -> String {
        #"{"message":{"subject":"\#(subject)","seq":\#(revision),"#
            + #""data":"\#(base64(entry.bytes))"}}"#
    }

    private func error(_ code: Int) -> String {
        #"{"error":{"code":400,"err_code":\#(code),"description":"e"}}"#
    }

    static func base64(_ bytes: [UInt8]) -> String {
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
