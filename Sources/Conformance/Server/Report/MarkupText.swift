/// Text in XML and HTML.
package enum MarkupText {
    /// Converts a sentence to HTML. Text between backticks becomes code.
    static func prose(_ text: some StringProtocol) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map { escaped($0) }
        return parts.indices.map { index in
            guard index % 2 == 1 else { return parts[index] }
            // A backtick that has no closing backtick stays unchanged.
            return index + 1 < parts.count ? "<code>\(parts[index])</code>" : "`" + parts[index]
        }.joined()
    }

    /// Escapes the markup characters of a text. Characters that XML does not allow become
    /// replacement characters.
    package static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{7F}", "\u{FFFE}"..."\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
