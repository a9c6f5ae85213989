internal import RefreshCluster
internal import RefreshSession

/// The first sessions whose names sort after a given name, collected in bounded memory.
struct SessionList: Sendable {
    /// The number of sessions in one answer (a page of the list). One more session is kept, to show
    /// that more sessions follow.
    static let pageSize = BusMessageLimits.listedSessionsMax

    private(set) var rows: [SessionRow] = []
    private let after: String?
    /// The last name that can be on the page; nil if every name after `after` can be on the page.
    private var last: String?

    init(after: String?) { self.after = after }

    /// Adds a session if it can be on the page.
    mutating func insert(_ name: String, _ row: () -> SessionRow) {
        if let after, name <= after { return }
        if let last, name > last { return }
        rows.append(row())
        if rows.count > 2 * Self.pageSize { truncate() }
    }

    private mutating func truncate() {
        rows.sort { $0.name < $1.name }
        rows.removeLast(rows.count - Self.pageSize - 1)
        last = rows.last?.name
    }
}
