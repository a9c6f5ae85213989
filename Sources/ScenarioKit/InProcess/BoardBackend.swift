internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshSession

/// The backend of the feed `board`, whose items have keys. Its parameters make it report changes,
/// and decide what it answers to edits. Source: docs/conformance.md, "The catalogue".
struct BoardBackend: Backend {
    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let request = call.request
        let all = EditedCatalogue.items("o")
        let start = max(request.page - 1, 0) * request.size
        let items = all.dropFirst(start).prefix(request.size)
        return Page(
            items: Array(JSONValue.array(Array(items)).text.utf8), count: items.count,
            more: start + items.count < all.count, total: all.count)
    }

    static let parameters: [FeedParameter] = [
        "tag", "report", FeedParameter("slow", .integer), "answers",
        FeedParameter("editMs", .integer),
    ]

    /// Returns the report of a change that a load with this parameter makes.
    static func report(of request: LoadRequest) -> [UInt8]? {
        guard let text = request.value(of: "report")?.text.replacing("'", with: "\"") else {
            return nil
        }
        if let count = Int(text) {
            let update = #"{"update":{"id":0,"word":"again"}}"#
            let operations = [String](repeating: update, count: count)
            return Array(#"{"operations":[\#(operations.joined(separator: ","))]}"#.utf8)
        }
        return Array((text.hasPrefix("[") ? #"{"operations":\#(text)}"# : text).utf8)
    }

    /// Returns the answer to an edit.
    static func outcome(of request: EditRequest, hashedBy hash: SipHash) -> EditOutcome {
        let answer = request.parameters.first { $0.name == "answers" }?.value.text
        switch answer {
        case "same":
            let item = #"{"id":\#(String(decoding: request.operation.key.text, as: UTF8.self)),"#
            return replaced(by: item + #""word":"as stored"}"#, hash)
        case "renamed": return replaced(by: #"{"id":900,"word":"renamed"}"#, hash)
        case "refused":
            return .failed(LoadFailure(.backendRejected, "The board is closed."))
        default: return .confirmed
        }
    }

    private static func replaced(by item: String, _ hash: SipHash) -> EditOutcome {
        guard let pointer = JSONPointer("/id"),
            let edited = try? EditedItem(reading: Array(item.utf8), at: pointer, hashedBy: hash)
        else { return .confirmed }
        return .replaced(edited)
    }
}

/// The backend of the feed `rows`: a thousand rows that can be loaded from any position.
struct RowsBackend: Backend {
    static let parameters: [FeedParameter] = [
        "tag", "total", FeedParameter("slow", .integer), FeedParameter("fails", .integer),
    ]

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let request = call.request
        if request.value(of: "fails")?.text == "\(request.offset)" {
            throw LoadFailure(.backendRejected, "This page cannot be loaded.")
        }
        let total: Int? =
            switch request.value(of: "total")?.text {
            case "none": nil
            case "less": request.offset > 0 ? 900 : 1000
            default: 1000
            }
        let count = total ?? 1000
        let first = min(max(request.offset, 0), count)
        let rows = first..<min(first + request.size, count)
        let items = rows.map { #"{"id":\#($0),"word":"row \#($0)"}"# }
        return Page(
            items: Array("[\(items.joined(separator: ","))]".utf8), count: rows.count,
            more: rows.upperBound < count, total: total)
    }
}

extension SimulatedFeed {
    /// The feeds for changes that state their items, for edits, and for access from any position.
    static var boardAndRows: [SimulatedFeed] {
        var board = SimulatedFeed(
            description: FeedDescription(
                name: "board", parameters: BoardBackend.parameters, style: .page, first: 1,
                size: 20, edits: [.insert, .update, .remove, .move, .refresh]),
            backend: BoardBackend(), itemKey: JSONPointer("/id"))
        board.report = BoardBackend.report
        board.edit = { request, hash in
            let ms = request.parameters.first { $0.name == "editMs" }?.value.text
            return (BoardBackend.outcome(of: request, hashedBy: hash), ms.flatMap(Double.init) ?? 0)
        }
        board.slownessMs = { slownessMs(of: $0) }
        var rows = SimulatedFeed(
            description: FeedDescription(
                name: "rows", parameters: RowsBackend.parameters, style: .offset, first: 0,
                size: 20),
            backend: RowsBackend())
        rows.slownessMs = { $0.offset > 0 ? slownessMs(of: $0) : 0 }
        return [board, rows]
    }

    private static func slownessMs(of request: LoadRequest) -> Double {
        request.value(of: "slow").flatMap { Double($0.text) } ?? 0
    }
}
