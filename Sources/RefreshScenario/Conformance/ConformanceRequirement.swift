/// An optional feature of a server that a case needs. Source: docs/conformance.md.
package enum ConformanceRequirement: Hashable, Sendable, CustomStringConvertible {
    case feed(String)
    case profile(String)
    case indicator(String)
    /// The server issues sealed snapshots.
    case snapshots
    /// The server accepts further connections. A session in process does not.
    case connections
    /// The limit is at most this large. A limit of 0 means none and does not satisfy the
    /// requirement.
    case limitAtMost(String, Double)

    package var description: String {
        switch self {
        case .feed(let name): "the feed \(name)"
        case .profile(let name): "the profile \(name)"
        case .indicator(let name): "the indicator \(name)"
        case .snapshots: "sealed snapshots"
        case .connections: "a server over sockets"
        case .limitAtMost(let name, let bound): "\(name) of at most \(Int(bound))"
        }
    }

    /// Creates a requirement from its text in the head of a case; nil if the text is not one.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("feed", 2): self = .feed(words[1])
        case ("profile", 2): self = .profile(words[1])
        case ("indicator", 2): self = .indicator(words[1])
        case ("snapshots", 1): self = .snapshots
        case ("connections", 1): self = .connections
        case ("limit", 4) where words[2] == "<=":
            guard let bound = Double(words[3]) else { return nil }
            self = .limitAtMost(words[1], bound)
        default: return nil
        }
    }
}
