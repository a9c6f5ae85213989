/// Finds the case of an enumeration whose wire name stands in a text, without making a string:
/// a hash table over names of at most 16 bytes, built once.
package struct KeywordTable<Keyword: CaseIterable & WireNamed & Sendable>: Sendable {
    private struct Slot: Sendable {
        var name: PackedName
        var keyword: Keyword
    }

    private let slots: [Slot?]
    private let mask: Int

    package init() {
        var size = 8
        while size < Keyword.allCases.count * 4 { size *= 2 }
        var slots = [Slot?](repeating: nil, count: size)
        for keyword in Keyword.allCases {
            guard let name = PackedName(keyword.wireName) else {
                preconditionFailure("keyword longer than 16 bytes: \(keyword.wireName)")
            }
            var index = name.hash & (size - 1)
            while slots[index] != nil { index = (index + 1) & (size - 1) }
            slots[index] = Slot(name: name, keyword: keyword)
        }
        self.slots = slots
        self.mask = size - 1
    }

    /// The keyword whose name is exactly the bytes at `range`.
    @inline(__always)
    package func keyword(in bytes: Span<UInt8>, at range: Range<Int>) -> Keyword? {
        guard let name = PackedName(bytes, at: range) else { return nil }
        var index = name.hash & mask
        while let slot = slots[index] {
            if slot.name == name { return slot.keyword }
            index = (index &+ 1) & mask
        }
        return nil
    }
}
