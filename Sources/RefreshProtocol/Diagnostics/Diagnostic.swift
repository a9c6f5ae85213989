/// One thing that the daemon has ignored: what, in which field of which message.
package struct Diagnostic: Hashable, Sendable {
    package var code: DiagnosticCode
    package var seq: UInt64?
    package var view: ViewID?
    /// The path of the field, such as `top.triger`. Printable ASCII.
    package var field: String?
    /// The name that was probably meant.
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

    /// The most characters of a name that a client chose.
    package static let nameCharactersMax = 32

    /// A client's name as it may stand in a text of the daemon: cut, and of printable ASCII, with
    /// `?` in place of any other character.
    package static func shown(_ name: String) -> String {
        let scalars = name.unicodeScalars.prefix(nameCharactersMax).map { scalar in
            (0x20..<0x7F).contains(scalar.value) ? Character(scalar) : "?"
        }
        return String(scalars) + (name.unicodeScalars.count > nameCharactersMax ? "..." : "")
    }
}
