import RefreshProtocol

/// What another process needs to continue a session: the credentials, the messages that wait, and
/// the items. Its text is opaque to the app.
struct SavedState {
    /// A state with another number is of another version of the client, and is ignored.
    private static let version = 1.0
    /// The distance from the last number of the earlier process. It may have sent messages after it
    /// has saved the state.
    private static let restoredGap: UInt64 = 1000

    /// A view of the earlier process.
    struct View {
        /// Whether the view was not visible.
        var isCovered: Bool
        /// The items as the daemon has sent them.
        var items: [JSONValue]
        /// The edits without an answer; nil: there are none.
        var edits: JSONValue?
        var sectionKey: JSONPointer?
        /// The rows of a list with random access.
        var rows: ItemRows?
    }

    let link: JSONValue
    let seq: UInt64
    let views: [String: View]
    /// The names whose earlier views the session may still have.
    let goneViews: [String]

    /// Reads the text of a state; nil if it cannot be read.
    init?(_ text: String) {
        guard let state = try? JSONValue(parsing: text, limits: .frameOfDaemon),
            state["version"]?.number == Self.version, let link = state["link"],
            let seq = state["seq"]?.sequence, case .object(let members)? = state["views"],
            let gone = state["gone"]?.array
        else { return nil }
        self.link = link
        self.seq = seq + Self.restoredGap
        var views: [String: View] = [:]
        for member in members {
            views[member.name] = View(
                isCovered: member.value["covered"]?.bool == true,
                items: member.value["items"]?.array ?? [], edits: member.value["edits"],
                sectionKey: member.value["sectionKey"]?.string.flatMap { JSONPointer($0) },
                rows: member.value["rows"].map { ItemRows(saved: $0) })
        }
        self.views = views
        goneViews = gone.compactMap(\.string)
    }

    /// The text of the state of a client.
    static func text(of machine: ClientMachine) -> String? {
        guard let link = machine.link.saved else { return nil }
        let views = machine.views.filter { $0.flaw == nil && !$0.isRefused }.map { view in
            var saved = JSONValue.object([
                .init("covered", .bool(view.isCovered)), .init("items", .array(view.remote.items)),
            ])
            saved["edits"] = view.edits.saved
            saved["rows"] = view.remote.rows?.saved
            saved["sectionKey"] = view.remote.sectionKey.map { .string($0.text) }
            return JSONValue.Member(view.name, saved)
        }
        return JSONValue.object([
            .init("version", .number(version)), .init("link", link),
            .init("seq", .number(Double(machine.link.seq))), .init("views", .object(views)),
            .init("gone", .array(machine.goneViews.keys.sorted().map { .string($0) })),
        ]).text
    }
}

extension SessionLink {
    /// The part of the saved state that this link continues; nil if there is no session that can be
    /// resumed.
    var saved: JSONValue? {
        guard var saved = resume else { return nil }
        saved["received"] = .object(received.map { .init($0.key, .string($0.value)) })
        saved["snapshotAck"] = snapshot.map { .number(Double($0.ack)) }
        saved["detached"] = detachments.saved
        saved["features"] = served.map { .array($0.sorted().map { .string($0) }) }
        saved["messages"] = .array(
            outbox.map { .object([.init("body", $0.body), .init("isKey", .bool($0.isKey))]) })
        return saved
    }

    /// Continues the session of a saved state.
    init(_ state: SavedState) {
        self.init()
        restore(state.link, seq: state.seq)
    }
}

extension ClientMachine {
    /// The state with which another process continues the session; nil if there is no session that
    /// can be resumed.
    package var savedState: String? {
        phase == .closed || phase == .refused ? nil : SavedState.text(of: self)
    }

    /// Whether the session has the view of a message already, so that it needs no first messages.
    func isSaved(_ message: JSONValue, in saved: SavedState?) -> Bool {
        guard let saved, link.resume != nil else { return false }
        return saved.views[message["view"]?.string ?? ""] != nil
    }

    /// Continues the views of the earlier process. What its user has done is shown again, and its
    /// gestures have ended.
    mutating func continueViews(of saved: SavedState) {
        guard link.resume != nil else { return }
        lostAt = -.infinity
        for name in saved.goneViews { goneViews[name] = .max }
        for message in link.outbox {
            guard let index = viewIndex(message.view), views[index].flaw == nil else { continue }
            _ = views[index].record(message.body, seq: message.seq, at: 0)
        }
        for index in views.indices where views[index].flaw == nil {
            guard let view = saved.views[views[index].name] else { continue }
            views[index].restore(view)
            views[index].endEarlierTouch(at: 0)
            // The view is visible in this process.
            if view.isCovered { keep(Self.message("appear", views[index].name), at: 0) }
        }
    }
}
