/// The names that an operator chooses: of feeds, backends, parameters, tokens and indicators.
enum ConfiguredName {
    static let rule = "a name has 1 to 64 letters, digits, `-`, `_` and `.`"
    /// The rule as a pattern (ECMA 262).
    static let pattern = "^[A-Za-z0-9_.-]{1,64}$"

    static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }
}
