/// A parser of the header `Link`. Source: RFC 8288, 3.
enum LinkHeader {
    /// Returns the target of the first link to the next page, or nil if there is none.
    static func next(in values: [String]) -> String? {
        for value in values {
            for link in HeaderText.split(value, at: UInt8(ascii: ",")) {
                if let target = next(link) { return target }
            }
        }
        return nil
    }

    private static func next(_ link: String) -> String? {
        let parts = HeaderText.split(link, at: UInt8(ascii: ";"))
        guard let first = parts.first, first.hasPrefix("<"), first.hasSuffix(">"),
            first.utf8.count > 2
        else { return nil }
        let parameters = parts.dropFirst().map(HeaderText.parameter)
        // Only the first `rel` counts. A link with an `anchor` refers to another resource, so it is
        // ignored.
        guard let relation = parameters.first(where: { $0.name == "rel" })?.value,
            !parameters.contains(where: { $0.name == "anchor" }),
            relation.lowercased().split(separator: " ").contains("next")
        else { return nil }
        return String(first.dropFirst().dropLast())
    }
}
