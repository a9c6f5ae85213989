/// The first sessions behind a name, gathered from as many as there are in a bounded room.
struct SessionList: Sendable {
    /// So many, and one more that says that there are more.
    static let most = 1000

    private(set) var rows: [SessionRow] = []
    private let after: String?
    /// No name behind this one is wanted any more.
    private var last: String?

    init(after: String?) { self.after = after }

    /// Takes up a session if it can be among the first.
    mutating func note(_ name: String, _ row: () -> SessionRow) {
        if let after, name <= after { return }
        if let last, name > last { return }
        rows.append(row())
        if rows.count > 2 * Self.most { cut() }
    }

    private mutating func cut() {
        rows.sort { $0.name < $1.name }
        rows.removeLast(rows.count - Self.most - 1)
        last = rows.last?.name
    }
}
