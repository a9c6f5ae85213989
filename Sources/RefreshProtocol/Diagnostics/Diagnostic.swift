/// A notice about input that the daemon has ignored, or about a mistake of the client, with the
/// field and message that it concerns.
package struct Diagnostic: Hashable, Sendable {
    package var code: DiagnosticCode
    package var seq: UInt64?
    package var view: ViewID?
    /// The path of the field, such as `top.triger`. Printable ASCII.
    package var field: String?
    /// The name that was probably intended.
    package var suggestion: String?

    package init(
        _ code: DiagnosticCode, seq: UInt64? = nil, view: ViewID? = nil, field: String? = nil,
        suggestion: String? = nil
    ) {
        self.code = code
        self.seq = seq
        self.view = view
        self.field = field
        self.suggestion = suggestion
    }

    /// The maximum number of characters of a client's name in a text of the daemon.
    package static let nameCharactersMax = 32

    /// Returns a client's name in a form that is suitable for a text of the daemon. The name is
    /// truncated, and each character that is not printable ASCII is replaced by `?`.
    package static func sanitized(_ name: String) -> String {
        let scalars = name.unicodeScalars.prefix(nameCharactersMax).map { scalar in
            (0x20..<0x7F).contains(scalar.value) ? Character(scalar) : "?"
        }
        return String(scalars) + (name.unicodeScalars.count > nameCharactersMax ? "..." : "")
    }
}

/// The number of ignored members of messages, by kind. Source: docs/protocol.md, "diagnostic".
package struct IgnoredMembers: Hashable, Sendable {
    package var unknownFields = 0
    package var unknownOptions = 0
    /// Members that have a meaning in other messages, but cannot be changed by this message.
    package var notConfigurable = 0
    package var isEmpty: Bool { self == IgnoredMembers() }

    package init() {}
}
