/// Where a file's next page begins: after so many items, the last of which had this fingerprint.
///
/// Appending to the file moves nothing. When items before it came or went, the item is found again
/// by its fingerprint. On the wire it is text, `COUNT-FINGERPRINT`, opaque to clients.
struct FileCursor: Hashable, Sendable {
    var count: Int
    var fingerprint: UInt64

    init(count: Int, fingerprint: UInt64) {
        self.count = count
        self.fingerprint = fingerprint
    }

    /// Reads the text form; nil if it is none.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), count > 0,
            let fingerprint = UInt64(parts[1], radix: 16)
        else { return nil }
        self.init(count: count, fingerprint: fingerprint)
    }

    var text: String { "\(count)-\(String(fingerprint, radix: 16))" }

    /// The cursor after the first `count` items (1...) of `items`.
    init(after count: Int, of items: ItemList) {
        self.init(count: count, fingerprint: Self.fingerprint(of: items[count - 1]))
    }

    /// How many of `items` come before the next page; nil if the item is not there any more. Of
    /// equal items the one nearest to the old place counts. Throws early once nobody wants to know.
    func position(in items: ItemList, for wish: DiskWish) throws(LoadFailure) -> Int? {
        let expected = count - 1
        if expected < items.count, Self.fingerprint(of: items[expected]) == fingerprint {
            return count
        }
        var nearest: Int?
        items.visit(from: 0) { index, item in
            if Self.fingerprint(of: item) == fingerprint,
                nearest.map({ abs($0 - expected) > abs(index - expected) }) ?? true
            {
                nearest = index
            }
            return !wish.isCancelled
        }
        try wish.check()
        return nearest.map { $0 + 1 }
    }

    /// FNV-1a, 64 bits: the same in every process, unlike `Hasher`.
    private static func fingerprint(of item: ArraySlice<UInt8>) -> UInt64 {
        item.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
