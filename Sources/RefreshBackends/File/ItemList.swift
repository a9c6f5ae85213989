internal import RefreshBroker
internal import RefreshProtocol

/// The items that a backend holds in memory: JSON values in one buffer, separated only by commas
/// and whitespace.
struct ItemList: Sendable {
    let bytes: [UInt8]
    private let marks: ItemMarks

    /// Creates a list. The values must already be validated as JSON.
    init(bytes: [UInt8], marks: ItemMarks) {
        self.bytes = bytes
        self.marks = marks
    }

    var count: Int { marks.count }

    /// The number of items with a recorded position.
    var markCount: Int { marks.markCount }

    /// The bytes of one item. Empty if there is no item with this index.
    subscript(index: Int) -> ArraySlice<UInt8> {
        var item: ArraySlice<UInt8> = []
        forEachItem(from: index) { _, found in
            item = found
            return false
        }
        return item
    }

    /// Calls `body` for one item after another, from `start` (0...) on. Ends when `body` returns
    /// false.
    func forEachItem(from start: Int, _ body: (_ index: Int, _ item: ArraySlice<UInt8>) -> Bool) {
        guard start < count, let mark = marks.mark(before: start) else { return }
        var scanner = JSONScanner(bytes.span, from: mark.offset, limits: AnswerFault.limits)
        for index in mark.index..<count {
            while scanner.consumeByte(UInt8(ascii: ",")) {}
            // The value was validated before.
            guard let range = try? scanner.skipAnswerValue(inside: 0) else { return }
            if index >= start, !body(index, bytes[range]) { return }
        }
    }

    /// Returns a page with the JSON array of at most `size` items from `start` on. If `start` or
    /// `size` is out of range, the page has fewer items or none.
    func page(from start: Int, size: Int, bytesMax: Int) throws(LoadFailure) -> Page {
        let first = min(max(0, start), count)
        let end = first + min(max(0, size), count - first)
        var items: [UInt8] = [UInt8(ascii: "[")]
        if first < end {
            forEachItem(from: first) { index, item in
                if index > first { items.append(UInt8(ascii: ",")) }
                items.append(contentsOf: item)
                return items.count < bytesMax && index + 1 < end
            }
        }
        guard items.count < bytesMax else {
            throw LoadFailure(
                .backendAnswerTooLarge, "A page of \(size) is larger than \(bytesMax) bytes.")
        }
        items.append(UInt8(ascii: "]"))
        return Page(items: items, count: end - first, more: end < count, total: count)
    }
}
