package import RefreshBroker
internal import RefreshProtocol

/// The store of heads: a key-value bucket of JetStream, and the requests by which a node uses it.
///
/// The requests are those of JetStream's documented API (ADR-2, ADR-8 of NATS). A request names a
/// reply subject of the node with the number of the request. The answer comes as a message to this
/// subject.
package struct HeadStore: Hashable, Sendable {
    /// The maximum size of all entries in bytes. Beyond it, the oldest entries are removed.
    static let bytesMax = 268_435_456
    /// The numbers of replicas that are tried when the bucket is created, in this order.
    static let replicas = [3, 1]
    /// The maximum length of a session's name in bytes.
    static let sessionBytesMax = 64
    /// JetStream remembers the identifiers of messages for at most this time, in milliseconds.
    private static let duplicateMs = 120_000

    /// The subject that receives the changes of all entries.
    package let entries: String
    /// The subject that receives the answers to this node.
    package let replies: String
    private let stream: String
    private let entryPrefix: String
    private let replyPrefix: String
    private let lifetimeMs: Int

    /// `cluster` is the name of the cluster. An entry expires `lifetimeMs` after it was written.
    package init(cluster: String, own: NodeID, lifetimeMs: Int) {
        let bucket = "refreshd_\(cluster)"
        stream = "KV_\(bucket)"
        entryPrefix = "$KV.\(bucket)."
        entries = entryPrefix + ">"
        replyPrefix = "refreshd.\(cluster).fence.\(own.text)."
        replies = replyPrefix + "*"
        self.lifetimeMs = max(1, lifetimeMs)
    }

    /// A message to JetStream.
    package struct Message: Hashable, Sendable {
        package let subject: String
        package let bytes: [UInt8]
        /// The subject of the answer.
        package let replySubject: String
        /// The revision that the entry must have; 0 if there must be none. Nil if the message does
        /// not write an entry.
        package var expectedRevision: UInt64?
    }

    /// What a message that was received means.
    package enum Arrival: Hashable, Sendable {
        /// The answer to the request with this number.
        case reply(UInt64)
        /// The entry of this session was written, or a write was attempted.
        case entry(session: String)
    }

    /// The meaning of a received message by its subject; nil if it does not concern the store.
    package func arrival(on subject: String) -> Arrival? {
        if subject.hasPrefix(replyPrefix) {
            return UInt64(subject.dropFirst(replyPrefix.count)).map(Arrival.reply)
        }
        guard subject.hasPrefix(entryPrefix) else { return nil }
        let session = String(subject.dropFirst(entryPrefix.count))
        return Self.isStorable(session) ? .entry(session: session) : nil
    }

    /// Whether a session with this name can have an entry.
    static func isStorable(_ session: String) -> Bool {
        (1...sessionBytesMax).contains(session.utf8.count)
            && session.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    // MARK: - Requests

    /// The message of a request with this number.
    func message(of request: StoreRequest, number: UInt64) -> Message {
        switch request {
        case .info: message("INFO", [], number)
        case .create(let replicas): message("CREATE", configuration(replicas: replicas), number)
        case .get(let session):
            message("MSG.GET", query(#"{"last_by_subj":"#, entryPrefix + session), number)
        case .next(let revision):
            message("MSG.GET", query("{\"seq\":\(revision),\"next_by_subj\":", entries), number)
        case .put(let entry, let session, let revision):
            Message(
                subject: entryPrefix + session, bytes: entry.bytes,
                replySubject: replyPrefix + String(number), expectedRevision: revision)
        }
    }

    private func message(_ verb: String, _ bytes: [UInt8], _ number: UInt64) -> Message {
        Message(
            subject: "$JS.API.STREAM.\(verb).\(stream)", bytes: bytes,
            replySubject: replyPrefix + String(number))
    }

    /// The configuration of the bucket.
    private func configuration(replicas: Int) -> [UInt8] {
        var out = ByteBuffer(capacity: 512)
        out.append(literal: #"{"name":"#)
        out.appendQuoted(stream)
        out.append(literal: #","subjects":["#)
        out.appendQuoted(entries)
        out.append(
            literal:
                #"],"retention":"limits","max_consumers":-1,"max_msgs":-1,"max_bytes":"#)
        out.append(Self.bytesMax)
        out.append(literal: #","discard":"old","max_age":"#)
        out.append(lifetimeMs * 1_000_000)
        out.append(literal: #","max_msgs_per_subject":1,"max_msg_size":"#)
        out.append(StoredHead.bytesMax)
        out.append(literal: #","storage":"memory","num_replicas":"#)
        out.append(replicas)
        out.append(literal: #","duplicate_window":"#)
        out.append(min(Self.duplicateMs, lifetimeMs) * 1_000_000)
        out.append(literal: #","allow_rollup_hdrs":true,"deny_delete":true}"#)
        return out.bytes
    }

    private func query(_ beginning: String, _ subject: String) -> [UInt8] {
        var out = ByteBuffer(capacity: 128)
        out.append(beginning)
        out.appendQuoted(subject)
        out.append(UInt8(ascii: "}"))
        return out.bytes
    }
}

/// A request to a `HeadStore`.
enum StoreRequest: Hashable, Sendable {
    /// Asks for the state of the bucket.
    case info
    /// Creates the bucket.
    case create(replicas: Int)
    /// Asks for the entry of a session.
    case get(session: String)
    /// Asks for the first entry with this revision or a later one.
    case next(from: UInt64)
    /// Writes the entry of a session, if its revision is as expected; 0: if there is no entry.
    case put(StoredHead, session: String, expecting: UInt64)
}
