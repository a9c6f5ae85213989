internal import RefreshProtocol
internal import ScenarioKit

/// The rules for messages and members that belong to features. A client sends such messages and
/// members only if its `hello` has `features` and the server's `welcome` has `features` too.
/// Source: docs/protocol.md, "Features".
struct FeatureRules {
    /// The features in the last `hello`. Nil if the last `hello` has no `features`.
    private var named: Set<String>?

    /// The options of a refresh edge that only clients with features can set.
    private static let edgeOptions = ["depth", "repeat", "pollMs"]
    private static let edges = ["top", "bottom", "leading", "trailing"]
    /// The members of `configure` that belong to the feature `query`.
    private static let queryMembers = ["parameters", "debounceMs", "shown"]

    /// Returns the violations in a frame of the client. When a client sends the frame with its
    /// `hello`, it does not know which features the server offers. The messages in this frame are
    /// therefore checked only against the features in `hello`.
    mutating func violations(in messages: [JSONValue], of session: PlayedSession) -> [String] {
        let hello = messages.first { $0["type"]?.string == "hello" }
        if let hello { named = hello["features"]?.array.map { Set($0.compactMap(\.string)) } }
        let served = hello == nil ? session.features : named
        var findings: [String] = []
        if named == nil || served == nil {
            findings += (messages + (hello?["views"]?.array ?? [])).flatMap(Self.uses).map {
                "\($0), but the session has no features"
            }
        }
        if named?.contains("query") != true || served?.contains("query") != true {
            findings += messages.flatMap(Self.usesOfQueries).map {
                "\($0), but the feature `query` is not in use"
            }
        }
        for (feature, uses) in [("edits", Self.usesOfEdits), ("visibleRange", Self.usesOfRows)]
        where named?.contains(feature) != true || served?.contains(feature) != true {
            findings += messages.flatMap(uses).map {
                "\($0), but the feature `\(feature)` is not in use"
            }
        }
        return findings
    }

    /// The parts of a message, or of a view in `hello`, that require a client with features.
    private static func uses(in message: JSONValue) -> [String] {
        let type = message["type"]?.string ?? "attach"
        if type == "disappear" { return ["`disappear`"] }
        guard type == "attach" || type == "configure" else { return [] }
        var found = type == "attach" && message["initial"] != nil ? ["`initial` of `attach`"] : []
        for edge in edges {
            for option in edgeOptions where message[edge]?[option] != nil {
                found.append("`\(edge).\(option)` of `\(type)`")
            }
        }
        return found
    }

    private static func usesOfEdits(in message: JSONValue) -> [String] {
        guard let type = message["type"]?.string, ["edit", "undo"].contains(type) else { return [] }
        return ["`\(type)`"]
    }

    private static func usesOfRows(in message: JSONValue) -> [String] {
        message["visible"] != nil ? ["`visible`"] : []
    }

    private static func usesOfQueries(in message: JSONValue) -> [String] {
        guard message["type"]?.string == "configure" else { return [] }
        return queryMembers.filter { message[$0] != nil }.map { "`\($0)` of `configure`" }
    }
}
