internal import RefreshBroker
internal import RefreshProtocol

/// A list of items `{"id":n,"title":"Item n"}`, n from 1, served page by page.
struct ScriptedList: Sendable {
    private let count: Int
    private let paging: PagingStyle
    private let first: Int

    init(count: Int, paging: PagingStyle, _ first: Int?) {
        self.count = count
        self.paging = paging
        self.first = first ?? PagePosition.defaultFirst(paging)
    }

    /// Returns the page for a request. The cursor is the number of items before the page.
    func page(for request: LoadRequest) throws(LoadFailure) -> Page {
        let start = min(try start(of: request), count)
        let end = start + min(max(0, request.size), count - start)
        var items: [UInt8] = [UInt8(ascii: "[")]
        for number in start..<end {
            if number > start { items.append(UInt8(ascii: ",")) }
            items += #"{"id":\#(number + 1),"title":"Item \#(number + 1)"}"#.utf8
        }
        items.append(UInt8(ascii: "]"))
        let more = paging != .none && end < count
        return Page(
            items: items, count: end - start, more: more,
            cursor: paging == .cursor && more ? String(end) : nil, total: count)
    }

    private func start(of request: LoadRequest) throws(LoadFailure) -> Int {
        guard paging == .cursor, let cursor = request.cursor else {
            return PagePosition.start(of: request, paging: paging, first: first)
        }
        guard let start = Int(cursor), start >= 0 else {
            throw LoadFailure(.backendRejected, "The cursor does not belong to this feed.")
        }
        return start
    }
}
