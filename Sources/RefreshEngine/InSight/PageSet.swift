/// A set of pages of a feed, counted from 0: one bit for each page up to the last page of the set.
struct PageSet: Hashable, Sendable {
    private var words: [UInt64] = []

    /// The number of pages that a set can contain. 65,535 pages take 8 KiB.
    static let pagesMax = Int(UInt16.max)

    func contains(_ page: Int) -> Bool {
        let (word, bit) = page.quotientAndRemainder(dividingBy: 64)
        return words.indices.contains(word) && words[word] & (1 << UInt64(bit)) != 0
    }

    mutating func insert(_ page: Int) {
        guard (0..<Self.pagesMax).contains(page) else { return }
        let (word, bit) = page.quotientAndRemainder(dividingBy: 64)
        if word >= words.count {
            words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
        }
        words[word] |= 1 << UInt64(bit)
    }

    mutating func remove(_ page: Int) {
        let (word, bit) = page.quotientAndRemainder(dividingBy: 64)
        guard words.indices.contains(word) else { return }
        words[word] &= ~(1 << UInt64(bit))
    }

    /// Removes `page` and all pages after it.
    mutating func removeAll(from page: Int) {
        let (word, bit) = max(page, 0).quotientAndRemainder(dividingBy: 64)
        guard word < words.count else { return }
        words[word] &= (1 << UInt64(bit)) - 1
        words.removeLast(words.count - word - 1)
    }

    /// The bytes of the set in memory.
    var byteCount: Int { words.count * MemoryLayout<UInt64>.stride }
}

extension PageSet: Codable {
    init(from decoder: any Decoder) throws {
        words = try decoder.singleValueContainer().decode([UInt64].self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(words)
    }
}
