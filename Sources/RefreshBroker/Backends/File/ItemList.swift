internal import RefreshProtocol

/// Items that a backend holds at once: JSON values in one piece of memory, between which there are
/// commas and white space at most.
struct ItemList: Sendable {
    let bytes: [UInt8]
    private let marks: ItemMarks

    /// The values have been read once, and are JSON.
    init(bytes: [UInt8], marks: ItemMarks) {
        self.bytes = bytes
        self.marks = marks
    }

    var count: Int { marks.count }

    /// How many items' places are held.
    var noted: Int { marks.noted }

    /// The bytes of one item; none beyond the end.
    subscript(index: Int) -> ArraySlice<UInt8> {
        var item: ArraySlice<UInt8> = []
        visit(from: index) { _, found in
            item = found
            return false
        }
        return item
    }

    /// Shows one item after the other, from `start` (0...) on, until `body` says false.
    func visit(from start: Int, _ body: (_ index: Int, _ item: ArraySlice<UInt8>) -> Bool) {
        guard start < count, let mark = marks.mark(before: start) else { return }
        var scanner = JSONScanner(bytes.span, from: mark.offset, limits: AnswerFault.limits)
        for index in mark.index..<count {
            while scanner.take(UInt8(ascii: ",")) {}
            // It was read before.
            guard let range = try? scanner.takeValue(inside: 0) else { return }
            if index >= start, !body(index, bytes[range]) { return }
        }
    }

    /// The JSON array of at most `size` items from `start` on. Either may be out of range: then
    /// there are fewer items, or none.
    func page(from start: Int, size: Int, bytesMax: Int) throws(LoadFailure) -> Page {
        let first = min(max(0, start), count)
        let end = first + min(max(0, size), count - first)
        var items: [UInt8] = [UInt8(ascii: "[")]
        if first < end {
            visit(from: first) { index, item in
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
