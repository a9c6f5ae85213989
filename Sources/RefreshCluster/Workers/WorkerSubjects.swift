package import RefreshBroker

/// The subjects that workers on the bus use, and the interpretation of their messages' subjects.
/// Source: docs/cluster.md, "Workers on the bus".
package struct WorkerSubjects: Sendable {
    /// The subject of a message from a worker, and what it states.
    package enum Arrival: Hashable, Sendable {
        /// A message about the offer of a load. `worker` is the identity of the worker; nil if the
        /// message does not state one.
        case answer(offer: UInt64, worker: UInt64?)
        /// A message that reports a change of the feed.
        case change(feed: String)
    }

    /// The queue group of the workers of a feed.
    package static let workerGroup = "workers"
    /// The queue group of the nodes that receive changes from workers.
    package static let nodeGroup = "nodes"

    private let work: String
    private let worker: String
    private let answer: String
    /// The feeds whose changes are received, by their subjects.
    private var changes: [String: String] = [:]

    /// `name`: the name of the cluster. `own`: this node.
    package init(cluster name: String, own: NodeID) {
        work = "refreshd.\(name).work."
        worker = "refreshd.\(name).worker."
        answer = "refreshd.\(name).node.\(own.text).load."
    }

    /// The subject with a wildcard of all answers to this node.
    package var answers: String { answer + "*" }

    /// The subject to which one worker of the feed listens.
    package func work(of feed: String) -> String { work + Self.token(feed) }

    /// The subject to which one worker of the feed that performs edits listens.
    package func edits(of feed: String) -> String { work(of: feed) + ".edits" }

    /// The subject for answers to an offer.
    package func answer(to offer: UInt64) -> String { answer + String(offer) }

    /// The subject of one worker.
    package func worker(_ bits: UInt64) -> String { worker + NodeID(bits: bits).text }

    /// Adds a feed whose changes are received, and returns the subject; nil if it was added before.
    package mutating func addChanges(of feed: String) -> String? {
        let subject = work(of: feed) + ".changed"
        return changes.updateValue(feed, forKey: subject) == nil ? subject : nil
    }

    /// Interprets the subject and the reply subject of a received message. Returns nil if the
    /// message is not from a worker.
    package func arrival(on subject: String, replySubject: String?) -> Arrival? {
        if subject.hasPrefix(answer) {
            let digits = subject.dropFirst(answer.count)
            guard let offer = UInt64(digits), String(offer) == digits else {
                return .answer(offer: 0, worker: nil)
            }
            let sender = replySubject.flatMap { reply in
                reply.hasPrefix(worker)
                    ? NodeID(text: String(reply.dropFirst(worker.count))) : nil
            }
            return .answer(offer: offer, worker: sender?.bits)
        }
        return changes[subject].map { .change(feed: $0) }
    }

    /// Returns the name of a feed as a part of a subject. A dot would separate two parts. The other
    /// characters of names of feeds have no meaning in subjects.
    private static func token(_ feed: String) -> String {
        feed.split(separator: ".", omittingEmptySubsequences: false).joined(separator: "%2E")
    }
}
