import Conformance
import RefreshProtocol

/// How the mistakes in live items, edits and rows are made.
extension ServerMistake {
    /// The mistake of a server that changes what it receives.
    static func hears(
        _ name: String, by subject: String,
        change: @escaping @Sendable (inout JSONValue, inout Memory) -> Void
    ) -> ServerMistake {
        ServerMistake(
            "\(name) (\(subject))", in: .live, by: subject,
            receivedChange: { message, memory in
                var changed = message
                change(&changed, &memory)
                return [changed]
            })
    }

    /// The mistake of a server that changes what it sends.
    static func says(
        _ name: String, by subject: String,
        change: @escaping @Sendable (inout JSONValue, inout Memory) -> Void
    ) -> ServerMistake {
        ServerMistake(
            "\(name) (\(subject))", in: .live, by: subject,
            sentChange: { message, memory in
                var changed = message
                change(&changed, &memory)
                return [changed]
            })
    }

    /// The mistake of a server that ignores some messages.
    static func misses(
        _ name: String, by subject: String, where isMissed: @escaping @Sendable (JSONValue) -> Bool
    ) -> ServerMistake {
        ServerMistake(
            "\(name) (\(subject))", in: .live, by: subject,
            receivedChange: { message, _ in isMissed(message) ? [] : [message] })
    }

    /// The mistake of a server that does not send some messages.
    static func omits(
        _ name: String, by subject: String, where isOmitted: @escaping @Sendable (JSONValue) -> Bool
    ) -> ServerMistake {
        ServerMistake(
            "\(name) (\(subject))", in: .live, by: subject,
            sentChange: { message, _ in isOmitted(message) ? [] : [message] })
    }

    /// The mistake of a server that sends further messages after some messages.
    static func adds(
        _ name: String, by subject: String,
        after further: @escaping @Sendable (JSONValue, inout Memory) -> [JSONValue]
    ) -> ServerMistake {
        ServerMistake(
            "\(name) (\(subject))", in: .live, by: subject,
            sentChange: { message, memory in [message] + further(message, &memory) })
    }

    /// The mistake of a server that assumes these features.
    static func assumes(
        _ features: [String], by subject: String, isResuming: Bool = false
    ) -> ServerMistake {
        hears("assumes the features \(features.joined(separator: ", "))", by: subject) {
            message, _ in
            guard message.isA("hello"), !isResuming || message["resume"] != nil else { return }
            message["features"] = .array(features.map { .string($0) })
        }
    }

    /// The mistake of a server that takes each sample of the list for one of a list at rest.
    static func takesForRest(_ phases: Set<String>, by subject: String) -> ServerMistake {
        hears("takes \(phases.sorted().joined(separator: " and ")) for rest", by: subject) {
            message, _ in
            guard message.isA("scroll"), phases.contains(message["phase"]?.string ?? "") else {
                return
            }
            message["phase"] = .string("idle")
            message["velocity"] = nil
            message["cause"] = .string("code")
        }
    }
}

extension JSONValue {
    /// Whether the message has operations on items.
    var hasOperations: Bool { self["operations"] != nil }

    /// Changes each operation, if the message has operations.
    mutating func changeOperations(_ change: (inout JSONValue) -> Void) {
        guard let operations = self["operations"]?.array else { return }
        self["operations"] = .array(operations.map { $0.with(change) })
    }

    /// Gives a member another name.
    mutating func rename(_ name: String, to other: String) {
        guard let value = self[name] else { return }
        self[name] = nil
        self[other] = value
    }
}
