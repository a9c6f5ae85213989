internal import RefreshBroker
internal import RefreshProtocol

/// The values that a query can use, by name.
struct SQLiteBindings: Sendable {
    private var values: [String: SQLiteValue]

    /// Collects the values. Throws `backendRejected` if the request has a cursor that was not in
    /// any page of this feed.
    init(_ request: LoadRequest, _ options: SQLiteOptions) throws(LoadFailure) {
        values = [
            "size": .integer(Int64(request.size)),
            "offset": .integer(Int64(Self.offset(of: request, options))),
            "page": .integer(Int64(request.page)),
            "kind": .text(request.kind.rawValue),
            "subject": request.subject.map { .text($0) } ?? .null,
        ]
        for parameter in request.parameters {
            values[parameter.name] = SQLiteValue(parameter.value)
        }
        guard options.paging == .cursor, let text = request.cursor else { return }
        guard let cursor = SQLiteCursor(text, count: options.after.count) else {
            throw LoadFailure(.backendRejected, "The cursor does not belong to this feed.")
        }
        for (column, value) in zip(options.after, cursor.values) {
            values[SQLiteOptions.afterPrefix + column] = value
        }
    }

    /// Returns the value of a name, or NULL if the request has none.
    subscript(name: String) -> SQLiteValue { values[name] ?? .null }

    /// Returns the number of items before the page. The result is the same whether pages or items
    /// are numbered from 0 or from 1.
    private static func offset(of request: LoadRequest, _ options: SQLiteOptions) -> Int {
        switch options.paging {
        case .page, .offset:
            let first = options.first ?? PagePosition.defaultFirst(options.paging)
            return PagePosition.start(of: request, paging: options.paging, first: first)
        case .cursor, .none:
            return max(0, request.offset)
        }
    }
}
