internal import RefreshEngine
internal import RefreshProtocol

/// An optional feature of a server that a case of the conformance suite needs. Source:
/// docs/conformance.md.
package enum ServerRequirement: Hashable, Sendable, CustomStringConvertible {
    case feed(String)
    case profile(String)
    case indicator(String)
    /// The server supports the features with these names. If there are no names, any server that
    /// supports features meets the requirement. Source: docs/protocol.md, "Features".
    case features([String])
    /// The server issues sealed snapshots.
    case snapshots
    /// The server accepts several connections at the same time.
    case connections
    /// The server's limit with this name is at most this value. A limit of 0 means unlimited, so 0
    /// does not meet the requirement.
    case limitAtMost(String, Double)

    package var description: String {
        switch self {
        case .feed(let name): "the feed \(name)"
        case .profile(let name): "the profile \(name)"
        case .indicator(let name): "the indicator \(name)"
        case .features(let names) where names.isEmpty: "features of clients"
        case .features(let names): "the feature \(names.joined(separator: " and "))"
        case .snapshots: "sealed snapshots"
        case .connections: "a server over sockets"
        case .limitAtMost(let name, let bound): "\(name) of at most \(Int(bound))"
        }
    }

    /// Creates a requirement from its text in the header of a case. Nil if the text is not a
    /// requirement.
    package init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("feed", 2): self = .feed(words[1])
        case ("profile", 2): self = .profile(words[1])
        case ("indicator", 2): self = .indicator(words[1])
        case ("features", _): self = .features(Array(words.dropFirst()))
        case ("snapshots", 1): self = .snapshots
        case ("connections", 1): self = .connections
        case ("limit", 4) where words[2] == "<=":
            guard let bound = Double(words[3]) else { return nil }
            self = .limitAtMost(words[1], bound)
        default: return nil
        }
    }

    /// The profile that every server has.
    private static let commonProfile = "default"
    /// The feed that a server under test should have.
    package static let commonFeed = "packages"
    /// The profiles that a requirement can name.
    package static let profiles = Set(Profile.allCases.map(\.rawValue))

    /// Adds the requirements that a message implies. Some names deliberately do not exist, such as
    /// the name of an unknown feed. They are not requirements.
    package static func collect(
        from message: Pattern, profiles: Set<String> = profiles, into used: inout [Self]
    ) {
        if case .value(.string(let name)) = message["profile"], name != commonProfile,
            profiles.contains(name)
        {
            used.append(.profile(name))
        }
        if case .array(let names, _) = message["features"] {
            used.append(
                .features(
                    names.compactMap {
                        if case .value(.string(let name)) = $0 { name } else { nil }
                    }))
        }
        for name in [commonFeed] + SimulatedFeed.catalogueNames
        where message["feed"] == Pattern.text(name) {
            used.append(.feed(name))
        }
        if case .array(let views, _) = message["views"] {
            for view in views { collect(from: view, profiles: profiles, into: &used) }
        }
    }
}
