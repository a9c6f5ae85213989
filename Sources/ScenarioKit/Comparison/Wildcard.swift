/// Texts with the wildcard `*`, which stands for any text.
package enum Wildcard {
    /// Returns whether `text` matches `form`, in which `*` is a wildcard.
    package static func matches(_ text: String, form: String) -> Bool {
        let parts = form.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, parts.count > 1 else {
            return text == form
        }
        guard text.hasPrefix(first), text.count >= first.count + last.count,
            text.hasSuffix(last)
        else { return false }
        var rest = text.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = Self.range(of: part, in: rest) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }

    private static func range(of part: Substring, in text: Substring) -> Range<String.Index>? {
        var start = text.startIndex
        while start <= text.endIndex {
            let tail = text[start...]
            if tail.hasPrefix(part) {
                return start..<text.index(start, offsetBy: part.count)
            }
            guard start < text.endIndex else { return nil }
            start = text.index(after: start)
        }
        return nil
    }
}
