/// Finds the enumeration case with a given wire name. The name is given as bytes, so that no string
/// is created. The table is a hash table of names of at most 16 bytes, and is built once.
package struct KeywordTable<Keyword: CaseIterable & WireNamed & Sendable>: Sendable {
    /// The names by slot. An empty slot contains the empty name and an arbitrary keyword.
    private let names: [PackedName]
    private let keywords: [Keyword]
    private let mask: Int

    /// Creates a table of the keywords that `isIncluded` selects. It must select at least one.
    package init(where isIncluded: (Keyword) -> Bool = { _ in true }) {
        let all = Keyword.allCases.filter(isIncluded)
        var size = 8
        while size < all.count * 4 { size *= 2 }
        var names = [PackedName](repeating: .empty, count: size)
        var keywords = [Keyword](repeating: all[0], count: size)
        for keyword in all {
            guard let name = PackedName(keyword.wireName) else {
                preconditionFailure("keyword longer than 16 bytes: \(keyword.wireName)")
            }
            var index = name.hash & (size - 1)
            while names[index].count != 0 { index = (index + 1) & (size - 1) }
            names[index] = name
            keywords[index] = keyword
        }
        self.names = names
        self.keywords = keywords
        self.mask = size - 1
    }

    /// The keyword whose name is exactly the bytes at `range`.
    @inline(__always)
    package func keyword(in bytes: Span<UInt8>, at range: Range<Int>) -> Keyword? {
        PackedName(bytes, at: range).flatMap { keyword(named: $0) }
    }

    /// The keyword with that name. The name must not be empty.
    @inline(__always)
    func keyword(named name: PackedName) -> Keyword? {
        var index = name.hash & mask
        while true {
            let candidate = names[index]
            if candidate == name { return keywords[index] }
            if candidate.count == 0 { return nil }
            index = (index &+ 1) & mask
        }
    }
}

/// A value with a name of at most 16 bytes on the wire.
package protocol WireNamed {
    var wireName: String { get }
}

extension WireNamed where Self: RawRepresentable, RawValue == String {
    package var wireName: String { rawValue }
}
