import RefreshEngine
import RefreshProtocol

/// The rows in sight, and the pages that fill the list. Source: docs/protocol.md, "What is in
/// sight".
extension ViewMachine {
    // MARK: Reports

    /// A message with the rows in sight. A sample without rows has those of the last report, so
    /// that it can replace the samples before it.
    func withRows(_ message: JSONValue) -> JSONValue {
        guard message["type"]?.string == "scroll", message["visible"] == nil else { return message }
        var message = message
        message["visible"] = rowsInSight
        return message
    }

    /// The message as it is sent now: a sample has no rows that the daemon knows, unless the list
    /// rests.
    mutating func sent(_ message: JSONValue) -> JSONValue {
        guard let rows = message["visible"] else { return message }
        guard rows == reportedRows, message["type"]?.string == "scroll",
            message["phase"]?.string != "idle"
        else {
            reportedRows = rows
            return message
        }
        var message = message
        message["visible"] = nil
        return message
    }

    /// The message that reports the rows before the first load; nil if none are known.
    var rowReport: JSONValue? {
        guard let rowsInSight else { return nil }
        var message = ClientMachine.message("geometry", name)
        message["visible"] = rowsInSight
        return message
    }

    // MARK: Pages

    /// Handles `items`.
    mutating func receiveItems(_ message: JSONValue, at now: Double) -> [ClientEvent] {
        let isFill = message["mode"]?.string == "fill"
        guard !isFill, let shown = patcher.apply(message) else {
            message["load"]?.string.map { remote.end($0) }
            if !isFill { observe(message, at: now) }
            return isFill ? remote.fill(message, view: name) : []
        }
        if message["mode"]?.string == "replace" { hidesRows = false }
        let events = remote.applyLoad(shown, view: name)
        observe(message, at: now)
        return events
    }

    /// Lets the replica follow a load, unless the load is that of a page in sight: no edge has
    /// requested it.
    mutating func observe(_ message: JSONValue, at now: Double) {
        guard remote.rows == nil || message["kind"]?.string != LoadKind.more.rawValue else {
            return
        }
        replica?.observeLoad(message, at: Instant(milliseconds: now))
    }
}

extension ViewState {
    /// Handles the items of a further page of a list with random access.
    mutating func fill(_ message: JSONValue, view: String) -> [ClientEvent] {
        guard let places = rowPlaces, rows != nil else { return [] }
        let page = message["items"]?.array ?? []
        // The backend has counted the rows anew, and there are none.
        if count == 0 { rows?.resize(to: 0) }
        rows?.fill(page, from: places.row(of: message))
        return [.itemsReceived(count: page.count, view: view)]
    }

    /// Begins the list of a message. If the message does not count its rows, random access ends.
    mutating func replaceItems(by message: JSONValue, _ page: [JSONValue]) {
        rows = rowPlaces?.rows(of: message)
        guard rows != nil, let places = rowPlaces else {
            rowPlaces = nil
            items = page
            return
        }
        items = []
        rows?.fill(page, from: places.row(of: message))
    }

    /// Records the paging that a `configure` requests. The values that it does not change stay.
    mutating func configure(_ paging: JSONValue) {
        let known = self.paging ?? .object([])
        self.paging = ViewMachine.merged(known, paging)
        rowPlaces = RowPlaces(self.paging)
    }
}

extension ClientMachine {
    /// The message with what the client knows of the rows in sight, or without rows if the feature
    /// is not used.
    func withRows(_ message: JSONValue) -> JSONValue {
        guard let index = viewIndex(message["view"]?.string) else { return message }
        if usesRows { return views[index].withRows(message) }
        var message = message
        message["visible"] = nil
        return message
    }

    /// Whether the client uses the feature `visibleRange`, as far as it knows.
    private var usesRows: Bool {
        configuration.features?.contains("visibleRange") == true
            && (link.served?.contains("visibleRange") ?? !link.wasWelcomed)
    }

    /// Reports the rows in sight to a fresh session, so that the first refresh requests their page.
    mutating func reportRows(at now: Double) {
        guard usesRows else { return }
        for report in views.compactMap(\.rowReport) { keep(report, at: now) }
    }

    /// Reports the rows in sight of a view that is attached now.
    mutating func reportRows(of view: String, at now: Double) -> [Effect] {
        guard usesRows, let index = viewIndex(view), let report = views[index].rowReport else {
            return []
        }
        return perform([report], at: now)
    }
}
