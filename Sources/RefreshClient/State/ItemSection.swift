public import RefreshProtocol

/// A run of neighbouring items with equal values. Source: docs/protocol.md, "Sections".
public struct ItemSection: Hashable, Sendable {
    /// The value that names the section: a string, a number or a boolean. With `null`, the section
    /// has no header.
    public internal(set) var value: JSONValue
    /// The position of the first item in `items`; with random access, its row.
    public internal(set) var start: Int
    /// The number of items.
    public internal(set) var count: Int
}

extension ViewState {
    /// The sections of the items in their order; empty if the feed has no `sectionKey`.
    /// Placeholders belong to no section. All items are read: keep the result as long as the items
    /// are the same.
    public var sections: [ItemSection] {
        guard let sectionKey else { return [] }
        let filled = rows?.filled ?? items.enumerated().map { ($0.offset, $0.element) }
        var sections: [ItemSection] = []
        for (position, item) in filled {
            let value = Self.sectionValue(of: item, at: sectionKey)
            if let last = sections.last, last.start + last.count == position,
                last.value.names(sameSectionAs: value)
            {
                sections[sections.count - 1].count += 1
            } else {
                sections.append(ItemSection(value: value, start: position, count: 1))
            }
        }
        return sections
    }

    private static func sectionValue(of item: JSONValue, at pointer: JSONPointer) -> JSONValue {
        switch item.value(at: pointer) {
        case let value? where value.string != nil || value.number != nil || value.bool != nil: value
        default: .null
        }
    }
}

extension JSONValue {
    /// Whether the values are equal. Strings are equal if they have the same bytes.
    fileprivate func names(sameSectionAs other: JSONValue) -> Bool {
        guard let text = string, let otherText = other.string else { return self == other }
        return text.hasBytes(of: otherText)
    }
}
