/// A URL in which secrets are masked, so that it can be shown. The mask replaces the user and the
/// password. It also replaces the literal text of path and query, because that text may contain a
/// secret. Placeholders, such as `{page}`, and the names of query parameters are not masked.
enum MaskedAddress {
    static let mask = "***"

    static func of(_ url: String) -> String {
        let mark = queryStart(in: url)
        let front = maskedPath(maskedUser(url[..<mark]))
        guard mark < url.endIndex, url[mark] == "?" else {
            // There is no query: the rest is empty or a fragment. A fragment is never sent, so it
            // is left out.
            return front
        }
        let query = url[url.index(after: mark)...].prefix { $0 != "#" }
        let fields = query.split(separator: "&", omittingEmptySubsequences: false).map(maskedField)
        return front + "?" + fields.joined(separator: "&")
    }

    /// Returns the URL with a mask in place of the path and the query, so that it shows only the
    /// host.
    static func site(of url: String) -> String {
        let masked = of(url)
        let end = authorityEnd(of: masked)
        return end == masked.endIndex ? masked : masked[..<end] + "/" + mask
    }

    private static func authorityEnd(of url: String) -> String.Index {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        return url[start...].firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex
    }

    private static func maskedPath(_ front: String) -> String {
        let end = authorityEnd(of: front)
        guard end < front.endIndex else { return front }
        return front[...end] + maskedLiteral(front[front.index(after: end)...])
    }

    /// Returns the index at which the query or the fragment begins. A `?` or `#` in a placeholder
    /// does not count.
    private static func queryStart(in url: String) -> String.Index {
        var isInside = false
        for index in url.indices {
            switch url[index] {
            case "{": isInside = true
            case "}": isInside = false
            case "?", "#": if !isInside { return index }
            default: break
            }
        }
        return url.endIndex
    }

    private static func maskedUser(_ front: Substring) -> String {
        guard let start = front.firstRange(of: "://")?.upperBound else {
            // Even if the URL has no scheme, the text before an `@` can be a secret.
            guard let at = front.lastIndex(of: "@") else { return String(front) }
            return mask + front[at...]
        }
        let authority = front[start...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(front) }
        return front[..<start] + mask + front[at...]
    }

    private static func maskedField(_ field: Substring) -> String {
        guard let equals = field.firstIndex(of: "=") else {
            return maskedLiteral(field)
        }
        return field[...equals] + maskedLiteral(field[field.index(after: equals)...])
    }

    /// Returns the text with a mask in place of everything except the placeholders.
    private static func maskedLiteral(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while !rest.isEmpty {
            let isPlaceholder = rest.hasPrefix("{") && !rest.hasPrefix("{{")
            if isPlaceholder, let end = rest.firstIndex(of: "}") {
                result += rest[...end]
                rest = rest[rest.index(after: end)...]
            } else {
                // Two braces stand for one literal brace.
                let begun = rest.hasPrefix("{{") ? 2 : 1
                let open = rest.dropFirst(begun).firstIndex(of: "{") ?? rest.endIndex
                if !result.hasSuffix(mask) { result += mask }
                rest = rest[open...]
            }
        }
        return result
    }
}
