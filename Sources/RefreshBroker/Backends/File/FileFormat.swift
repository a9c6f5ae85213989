internal import RefreshProtocol

/// How a file holds items.
package enum FileFormat: String, CaseIterable, Sendable {
    /// A JSON array, or an object with an array `items`.
    case json
    /// JSON Lines: one JSON value a line.
    case jsonl
    /// RFC 4180 with a header row: objects with strings.
    case csv

    /// By the path's extension (`ndjson` is JSON Lines too); nil for any other.
    package init?(extensionOf path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonl
        case "csv": self = .csv
        default: return nil
        }
    }

    /// The items in the `bytes` of a file; of those with other texts than in the file at most
    /// `itemBytesMax` bytes. Throws early once nobody wants them any more.
    func items(
        in bytes: [UInt8], itemBytesMax: Int, for wish: DiskWish
    ) throws(LoadFailure) -> ItemList {
        let items: ItemList
        switch self {
        case .json:
            do throws(AnswerFault) {
                items = try JSONItems.items(in: bytes, for: wish)
            } catch {
                throw LoadFailure(.backendAnswerMalformed, "The file is \(error.message).")
            }
        case .jsonl: items = try JSONLines.items(in: bytes, for: wish)
        case .csv:
            items = try CSVTable.items(in: bytes, itemBytesMax: itemBytesMax, for: wish)
        }
        try wish.check()
        return items
    }
}
