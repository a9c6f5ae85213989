internal import RefreshBroker
internal import RefreshProtocol

/// The format of a file with items.
package enum FileFormat: String, CaseIterable, Sendable {
    /// A JSON array, or an object with an array `items`.
    case json
    /// JSON Lines: one JSON value per line.
    case jsonl
    /// RFC 4180 with a header row. The items are objects with string values.
    case csv

    /// Determines the format from the path's extension (`ndjson` is also JSON Lines). Returns nil
    /// for any other extension.
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

    /// Parses the items in the `bytes` of a file. Each row of a CSV file becomes a JSON object.
    /// Together, these objects may have at most `itemBytesMax` bytes. Items of the other formats
    /// are copied verbatim. Throws early if the request is cancelled.
    func items(
        in bytes: [UInt8], itemBytesMax: Int, for cancellation: CancellationFlag
    ) throws(LoadFailure) -> ItemList {
        let items: ItemList
        switch self {
        case .json:
            do throws(AnswerFault) {
                items = try JSONItems.items(in: bytes, for: cancellation)
            } catch {
                throw LoadFailure(.backendAnswerMalformed, "The file is \(error.message).")
            }
        case .jsonl: items = try JSONLines.items(in: bytes, for: cancellation)
        case .csv:
            items = try CSVTable.items(in: bytes, itemBytesMax: itemBytesMax, for: cancellation)
        }
        try cancellation.checkCancellation()
        return items
    }
}
