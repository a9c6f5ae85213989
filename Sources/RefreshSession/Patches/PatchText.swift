import RefreshBroker
import RefreshProtocol

/// The member `runs` of an `items` message with the mode `patch`. Source: docs/protocol.md,
/// "Patches".
enum PatchText {
    /// Returns the JSON array of the runs that make the items of `page` from the list `old`.
    /// Returns nil if a patch would need more than three quarters of the bytes of the items, or if
    /// the items of the page cannot be compared with a list. `pointer` is the location of the key
    /// in an item.
    static func runs(from old: HashedItems, to page: Page, keyAt pointer: JSONPointer) -> [UInt8]? {
        guard let keys = page.itemKeys, let new = keys.list, keys.elements.count == new.count,
            (keys.elements.last?.upperBound ?? 0) < page.items.count
        else { return nil }
        // White space between items does not count, so that equal lists have equal patches.
        let elements = keys.elements
        let bytes = byteCount(of: elements[...])
        let bytesMax = bytes / 4 * 3
        var parts: [Part] = []
        var keptBytes = 0
        for run in ListRun.runs(from: old, to: new) {
            guard run.isKept else {
                append(nil, run.positions, to: &parts)
                continue
            }
            let first = elements[run.positions.lowerBound]
            guard let text = keptText(first, run.positions.count, in: page, pointer) else {
                return nil
            }
            // A short run costs more than its items.
            let runBytes = byteCount(of: elements[run.positions])
            append(text.count + itemsOverhead < runBytes ? text : nil, run.positions, to: &parts)
            keptBytes += runBytes
        }
        guard bytes - keptBytes <= bytesMax else { return nil }
        var out = ByteBuffer(capacity: 1024)
        out.append(0x5B as UInt8)
        for (index, part) in parts.enumerated() {
            if index > 0 { out.append(0x2C as UInt8) }
            write(part.text, elements[part.positions], of: page.items, to: &out)
            guard out.count <= bytesMax else { return nil }
        }
        out.append(0x5D as UInt8)
        return out.count <= bytesMax ? out.bytes : nil
    }

    /// The bytes that surround the items of a run, with a comma: `{"items":[]},`.
    private static let itemsOverhead = 13

    /// A run: its text, or nil for new items, and the positions of its items in the page.
    private typealias Part = (text: [UInt8]?, positions: Range<Int>)

    private static func append(_ text: [UInt8]?, _ positions: Range<Int>, to parts: inout [Part]) {
        if text == nil, let last = parts.last, last.text == nil {
            parts[parts.count - 1].positions = last.positions.lowerBound..<positions.upperBound
        } else {
            parts.append((text, positions))
        }
    }

    /// The bytes of items, each with a comma.
    private static func byteCount(of elements: ArraySlice<Range<Int>>) -> Int {
        elements.reduce(elements.count) { $0 + $1.count }
    }

    /// The text of a run of items that the client shows.
    private static func keptText(
        _ first: Range<Int>, _ count: Int, in page: Page, _ pointer: JSONPointer
    ) -> [UInt8]? {
        let bytes = page.items.span
        guard let key = ItemKeys.keyRange(ofItemAt: first, in: bytes, at: pointer) else {
            return nil
        }
        var out = ByteBuffer(capacity: key.count + 32)
        out.append(literal: #"{"from":"#)
        out.append(Array(page.items[key]))
        out.appendMember("count", count)
        out.append(0x7D as UInt8)
        return out.bytes
    }

    private static func write(
        _ text: [UInt8]?, _ elements: ArraySlice<Range<Int>>, of items: [UInt8],
        to out: inout ByteBuffer
    ) {
        if let text { return out.append(text) }
        out.append(literal: #"{"items":["#)
        unsafe items.withUnsafeBufferPointer { all in
            for element in elements {
                if element != elements.first { out.append(0x2C as UInt8) }
                unsafe out.append(UnsafeBufferPointer(rebasing: all[element]))
            }
        }
        out.append(literal: "]}")
    }
}
