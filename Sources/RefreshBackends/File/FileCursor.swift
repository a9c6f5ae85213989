internal import RefreshBroker

/// A cursor for the next page of a file. It contains the number of items before that page, and the
/// fingerprint of the last of these items.
///
/// Appending to the file does not change positions. If items before the cursor were added or
/// removed, the last item is found by its fingerprint. On the wire, a cursor is the text
/// `COUNT-FINGERPRINT`, which is opaque to clients.
struct FileCursor: Hashable, Sendable {
    var count: Int
    var fingerprint: UInt64

    init(count: Int, fingerprint: UInt64) {
        self.count = count
        self.fingerprint = fingerprint
    }

    /// Parses the text form. Returns nil if it is not a cursor.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), count > 0,
            let fingerprint = UInt64(parts[1], radix: 16)
        else { return nil }
        self.init(count: count, fingerprint: fingerprint)
    }

    var text: String { "\(count)-\(String(fingerprint, radix: 16))" }

    /// Creates the cursor after the first `count` items (1...) of `items`.
    init(after count: Int, of items: ItemList) {
        self.init(count: count, fingerprint: Self.fingerprint(of: items[count - 1]))
    }

    /// Returns the number of `items` before the next page, or nil if the cursor's last item has
    /// been removed. If several items are equal, the item nearest to the old position is used.
    /// Throws early if the request is cancelled.
    func position(in items: ItemList, for cancellation: CancellationFlag) throws(LoadFailure)
        -> Int?
    {
        let expected = count - 1
        if expected < items.count, Self.fingerprint(of: items[expected]) == fingerprint {
            return count
        }
        var nearest: Int?
        items.forEachItem(from: 0) { index, item in
            if Self.fingerprint(of: item) == fingerprint,
                nearest.map({ abs($0 - expected) > abs(index - expected) }) ?? true
            {
                nearest = index
            }
            return !cancellation.isCancelled
        }
        try cancellation.checkCancellation()
        return nearest.map { $0 + 1 }
    }

    /// Returns the fingerprint of an item: FNV-1a with 64 bits. Unlike `Hasher`, it gives the same
    /// result in every process.
    private static func fingerprint(of item: ArraySlice<UInt8>) -> UInt64 {
        item.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
