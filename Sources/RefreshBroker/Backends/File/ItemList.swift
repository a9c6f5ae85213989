internal import RefreshProtocol

/// Items that a backend holds at once: JSON values in one piece of memory, and where each stands.
struct ItemList: Sendable {
    var bytes: [UInt8] = []
    var elements: [Range<Int>] = []

    var count: Int { elements.count }

    /// The bytes of one item.
    subscript(index: Int) -> ArraySlice<UInt8> { bytes[elements[index]] }

    /// The JSON array of at most `size` items from `start` on. Either may be out of range: then
    /// there are fewer items, or none.
    func page(from start: Int, size: Int, bytesMax: Int) throws(LoadFailure) -> Page {
        let first = min(max(0, start), count)
        let end = first + min(max(0, size), count - first)
        var items: [UInt8] = [UInt8(ascii: "[")]
        for index in first..<end {
            if index > first { items.append(UInt8(ascii: ",")) }
            items.append(contentsOf: self[index])
            guard items.count < bytesMax else {
                throw LoadFailure(
                    .backendAnswerTooLarge, "A page of \(size) is larger than \(bytesMax) bytes.")
            }
        }
        items.append(UInt8(ascii: "]"))
        return Page(items: items, count: end - first, more: end < count, total: count)
    }
}
