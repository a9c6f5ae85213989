/// Checks on the text of a configured statement that need no database.
enum SQLiteText {
    private static let verbs: Set<String> = ["select", "with", "values"]

    /// Throws an error for `key` if the text contains a NUL, or does not begin with SELECT, WITH or
    /// VALUES.
    static func check(_ key: String, _ sql: String) throws(BackendConfigurationError) {
        guard !sql.utf8.contains(0) else {
            throw BackendConfigurationError(key, "It must not contain a NUL.")
        }
        guard verbs.contains(firstWord(of: sql)) else {
            throw BackendConfigurationError(
                key, "It must be one statement that begins with SELECT, WITH or VALUES.")
        }
    }

    /// Returns the first word in lower case, or an empty text if there is none. Whitespace and
    /// comments before the word are skipped.
    private static func firstWord(of sql: String) -> String {
        var rest = Substring(sql)
        while true {
            rest = rest.drop { $0.isWhitespace }
            if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*"), let end = rest.firstRange(of: "*/") {
                rest = rest[end.upperBound...]
            } else {
                return rest.prefix { $0.isASCII && $0.isLetter }.lowercased()
            }
        }
    }
}
