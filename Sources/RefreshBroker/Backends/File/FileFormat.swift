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

    /// The items in `bytes`.
    func items(in bytes: [UInt8]) throws(LoadFailure) -> ItemList {
        switch self {
        case .json:
            do throws(AnswerFault) {
                let answer = try PageReader.read(bytes, keepingElements: true)
                return ItemList(bytes: bytes, elements: answer.elements)
            } catch {
                throw LoadFailure(.backendAnswerMalformed, "The file is \(error.message).")
            }
        case .jsonl: return try JSONLines.items(in: bytes)
        case .csv: return try CSVTable.items(in: bytes)
        }
    }
}
